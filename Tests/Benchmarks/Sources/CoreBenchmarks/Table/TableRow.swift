import Foundation

/// A line of the table: what was done, by us and by others, and whether that is good enough.
package struct TableRow {
  private let work: String
  private let ours: Quantity
  private let other: String
  private let others: Quantity?
  private let undisturbed: (ours: Quantity, others: Quantity)?
  private let goal: Goal
  private let alarm: Double?

  package init(
    _ work: String,
    _ ours: Quantity,
    against other: String = "–",
    _ others: Quantity? = nil,
    undisturbed: (ours: Quantity, others: Quantity)? = nil,
    goal: Goal,
    alarmAt alarm: Double? = nil
  ) {
    self.work = work
    self.ours = ours
    self.other = other
    self.others = others
    self.undisturbed = undisturbed
    self.goal = goal
    self.alarm = alarm
  }

  /// The work and the other side, which no other line has together.
  var comparison: String { "\(work), \(other)" }

  /// Ours in multiples of the other side's.
  private var ratio: Double? { others.map { ours.value / $0.value } }

  var isMet: Bool? { goal.isMet(by: ours, ratio: ratio) }

  /// Loosens the goal of the line, for a machine that does other work beside.
  ///
  /// - Parameter factor: How many times as much a ratio may be.
  /// - Returns: The line; `nil` if that leaves nothing to meet.
  func loosened(by factor: Double) -> TableRow? {
    (alarm.map { .ratio(atMost: $0) } ?? goal.loosened(by: factor)).map {
      TableRow(
        work,
        undisturbed?.ours ?? ours,
        against: other,
        undisturbed?.others ?? others,
        goal: $0
      )
    }
  }

  static let header = aligned("work", "ours", "other side", "", "ratio", "goal", "")

  /// The line for people.
  var line: String {
    Self.aligned(
      work,
      ours.text,
      other,
      others?.text ?? "–",
      ratio.map { String(format: $0 < 0.01 ? "%.5f" : "%.3f", $0) } ?? "–",
      goal.text,
      isMet.map { $0 ? "met" : "not met" } ?? ""
    )
  }

  /// The line for programs.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  private static func aligned(_ fields: String...) -> String {
    zip(fields, [46, 10, 30, 10, 8, 17, 0]).map { field, width in
      field + String(repeating: " ", count: max(0, width - field.count))
    }.joined(separator: " ")
  }
}

extension TableRow: Encodable {
  private enum CodingKeys: String, CodingKey {
    case work, ours, other, others, ratio, goal, isMet
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(work, forKey: .work)
    try values.encode(ours, forKey: .ours)
    if let others {
      try values.encode(other, forKey: .other)
      try values.encode(others, forKey: .others)
    }
    try values.encodeIfPresent(ratio, forKey: .ratio)
    try values.encode(goal.text, forKey: .goal)
    try values.encodeIfPresent(isMet, forKey: .isMet)
  }
}
