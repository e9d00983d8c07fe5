internal import SnippetStorage

/// The edits that can be taken back, and their outcomes.
struct EditHistory {
  struct Entry {
    let number: UInt64
    let edit: SnippetEdit
    let id: SnippetID
  }

  /// The most steps that can be taken back, and the most edits in them besides those of the last.
  private static let (stepLimit, editLimit) = (100, 50_000)

  /// The edits that are taken back at once, with ascending numbers.
  private struct Step {
    let number: UInt64
    var entries: [Entry]
  }

  private var steps: [Step] = []
  private var lastStep: UInt64 = 0
  /// The edits in all steps.
  private var editCount = 0
  /// The edits that can be taken back, or are being taken back, and their outcomes once they have
  /// ended.
  private var outcomes: [UInt64: EditOutcome?] = [:]
  /// The numbers of these edits, by snippet.
  private var numbers: [SnippetID: [UInt64]] = [:]

  var last: Entry? { steps.last?.entries.last }

  var lastStepCount: Int { steps.last?.entries.count ?? 0 }

  /// The number of a step that has no edit yet.
  mutating func newStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }

  /// Prepares for so many edits more.
  mutating func reserve(_ count: Int) {
    outcomes.reserveCapacity(outcomes.count + count)
    numbers.reserveCapacity(numbers.count + count)
  }

  mutating func add(_ number: UInt64, _ edit: SnippetEdit, of id: SnippetID, to step: UInt64) {
    outcomes[number] = .some(nil)
    numbers[id, default: []].append(number)
    let entry = Entry(number: number, edit: edit, id: id)
    if steps.last?.number == step {
      steps[steps.count - 1].entries.append(entry)
    } else {
      steps.append(Step(number: step, entries: [entry]))
    }
    editCount += 1
    while steps.count > Self.stepLimit
      || steps.count > 1 && editCount - lastStepCount > Self.editLimit
    {
      let dropped = steps.removeFirst().entries
      editCount -= dropped.count
      for entry in dropped { takeOutcome(of: entry) }
    }
  }

  /// Takes the last step out; the outcomes of its edits stay until they are taken.
  mutating func removeLastStep() -> [Entry] {
    editCount -= lastStepCount
    return steps.popLast()?.entries ?? []
  }

  /// Notes how edits have ended: their outcomes, or `nil` for those that failed.
  ///
  /// Those that failed, or have nothing to take back, are forgotten.
  mutating func note(_ ended: [(number: UInt64, outcome: EditOutcome?)]) {
    var forgotten: Set<UInt64> = []
    for (number, outcome) in ended {
      if let outcome { follow(outcome) }
      guard outcomes[number] != nil else { continue }
      if let outcome, outcome.inverse != SnippetEdit() {
        outcomes[number] = outcome
      } else {
        forgotten.insert(number)
      }
    }
    forget(forgotten)
  }

  /// Has former edits follow one of the same snippet, unless others came between: they are taken
  /// back from what is there now.
  private mutating func follow(_ outcome: EditOutcome) {
    for number in numbers[outcome.row.id] ?? [] {
      guard let made = outcomes[number], let made, made.row.revision == outcome.formerRevision
      else { continue }
      outcomes[number] = EditOutcome(
        row: made.row.copy(revision: outcome.row.revision),
        formerRevision: made.formerRevision,
        inverse: made.inverse
      )
    }
  }

  /// Takes edits out, which takes O(*n*) for the *n* edits of their steps.
  private mutating func forget(_ forgotten: Set<UInt64>) {
    guard let first = forgotten.min(), let last = forgotten.max() else { return }
    for step in steps.indices {
      let entries = steps[step].entries
      guard let start = entries.first, let end = entries.last, start.number <= last,
        first <= end.number
      else { continue }
      steps[step].entries.removeAll { forgotten.contains($0.number) }
      editCount -= entries.count - steps[step].entries.count
      for entry in entries where forgotten.contains(entry.number) { takeOutcome(of: entry) }
    }
    steps.removeAll(where: \.entries.isEmpty)
  }

  /// Takes out the outcome of an edit; `nil` where it failed.
  @discardableResult
  mutating func takeOutcome(of entry: Entry) -> EditOutcome? {
    numbers[entry.id]?.removeAll { $0 == entry.number }
    if numbers[entry.id]?.isEmpty == true { numbers[entry.id] = nil }
    return outcomes.removeValue(forKey: entry.number) ?? nil
  }
}
