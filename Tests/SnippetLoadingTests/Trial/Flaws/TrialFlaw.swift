import Testing

/// A flaw of an article: how the list is seen to go wrong, and in which tiny world.
struct TrialFlaw: CustomTestStringConvertible, Sendable {
  enum Article: String, Sendable {
    case cellSubclasses = "Cell subclasses and async loading"
    case operationQueue = "Operation queue and cancellation"
    case reuseIdentifiers = "Table View Cells Redux"
    case awesynchronous = "Awesynchronous"
    case cellPresenter = "The Cell Presenter"
  }

  let article: Article
  /// The flaw, in the words of its cause.
  let cause: String
  let list: any ListOnTrial.Type
  let rule: TrialRule
  var setting = TrialSetting()
  /// What may happen.
  let events: [TrialEvent]
  /// What happens once at most, so that the schedule tells of this flaw; ours has no such help.
  var once: Set<TrialEvent> = []

  /// The longest schedule that is looked for.
  static let longest = 7

  var testDescription: String { "\(article.rawValue): \(cause)" }

  /// The shortest schedule that breaks the article’s code, found by trying all shorter ones.
  @MainActor
  func shortestSchedule() async -> TrialFinding? {
    for length in 1...Self.longest {
      let schedules = TrialSchedules(setting: setting, events: events, length: length, once: once)
      let found = await schedules.first(of: list) { $0.shows(rule) }.found
      if let found { return TrialFinding(events: found.events, words: found.words) }
    }
    return nil
  }

  /// Has ours go through all schedules of a length.
  ///
  /// - Returns: The world in which it broke a rule, whichever, and how many schedules it went
  ///   through.
  @MainActor
  func schedulesThatBreakOurs(length: Int) async -> (found: TrialWorld?, count: Int) {
    let schedules = TrialSchedules(setting: setting, events: events, length: length)
    return await schedules.first(of: OwnList.self) { !$0.judge.broken.isEmpty }
  }
}

/// A schedule that breaks a list.
struct TrialFinding {
  let events: [TrialEvent]
  let words: [String]

  var length: Int { events.count }
  var sentence: String { words.joined(separator: ", ") }
}
