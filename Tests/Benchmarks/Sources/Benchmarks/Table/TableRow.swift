import Foundation

/// A line of the table: what was done, by us and by others, and whether that is good enough.
struct TableRow {
  private let work: String
  private let ours: Quantity
  private let other: String
  private let others: Quantity?
  private let goal: Goal

  init(
    _ work: String,
    _ ours: Quantity,
    against other: String = "–",
    _ others: Quantity? = nil,
    goal: Goal
  ) {
    self.work = work
    self.ours = ours
    self.other = other
    self.others = others
    self.goal = goal
  }

  /// Ours in multiples of the other side's.
  private var ratio: Double? { others.map { ours.value / $0.value } }

  private var isMet: Bool? { goal.isMet(by: ours, ratio: ratio) }

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

  func encode(to encoder: any Encoder) throws {
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
