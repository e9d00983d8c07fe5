extension TrialFlaw {
  static let ofAwesynchronous: [TrialFlaw] = [
    manager(
      "Values are kept by index path, and stay there when rows come and go.",
      .foreignAtRest,
      TrialSetting(rows: "A"),
      [.show(0), .insert, .end("A"), .end("X"), .turn]
    ),
    manager(
      "A reload throws away all that was loaded.",
      .readAgain,
      TrialSetting(rows: "A"),
      [.show(0), .reload, .end("A"), .turn]
    ),
    manager(
      "Nothing is cancelled, and nothing comes before anything else.",
      .begunForNobody,
      TrialSetting(rows: "ABC", workerCount: 1),
      [.show(0), .show(1), .show(2), .end("A"), .end("B"), .end("C"), .turn],
      once: [.show(0)]
    ),
    manager(
      "Loads run without bound.",
      .crowd,
      TrialSetting(rows: "ABC", viewport: 3),
      [.show(0), .end("A"), .end("B"), .end("C"), .turn]
    ),
    manager(
      "Every value is kept until a reset.",
      .hoards,
      TrialSetting(rows: "AB", memoryLimit: 1),
      [.show(0), .show(1), .end("A"), .end("B"), .turn]
    ),
    manager(
      "Failures reach nobody.",
      .silentFailure,
      TrialSetting(rows: "A", broken: ["A"]),
      [.show(0), .end("A"), .turn]
    ),
    manager(
      "The block of the manager holds its owner, which holds the manager.",
      .keepsList,
      TrialSetting(rows: "A"),
      [.show(0), .end("A"), .turn, .close]
    ),
    framework(
      "One display tells the same state twice, by the callback and directly.",
      .repeatedWait,
      TrialSetting(rows: "A"),
      [.show(0), .end("A"), .turn]
    ),
    framework(
      "The state is read when its turn comes, so the last one is told twice.",
      .repeatedPicture,
      TrialSetting(rows: "A"),
      [.show(0), .end("A"), .turn]
    ),
    framework(
      "After a reset the former operation goes on, and has the last word.",
      .staleAtRest,
      TrialSetting(rows: "A"),
      [.show(0), .replace("A"), .reset, .end("A"), .endLatest("A"), .turn]
    ),
    framework(
      "The work asks the cell what to load, when the cell may be another row’s.",
      .foreign,
      TrialSetting(rows: "AB", isBusy: true),
      [.show(0), .show(1), .take("A"), .take("B"), .end("A"), .end("B"), .turn]
    ),
    framework(
      "The work holds its cell for as long as the operation is kept.",
      .keepsCells,
      TrialSetting(rows: "A"),
      [.show(0), .clear, .warn, .end("A"), .turn]
    ),
    framework(
      "A load that failed is tried again without delay.",
      .hurry,
      TrialSetting(rows: "A", broken: ["A"], attemptCount: 3),
      [.show(0), .end("A"), .turn, .mend]
    ),
    framework(
      "A failure is kept for ever.",
      .lastingFailure,
      TrialSetting(rows: "A", broken: ["A"]),
      [.show(0), .clear, .end("A"), .turn, .mend]
    ),
    framework(
      "Nothing is let go when memory is short.",
      .hoards,
      TrialSetting(rows: "A"),
      [.show(0), .clear, .warn, .end("A"), .turn]
    ),
    framework(
      "The manager keeps a closure over itself.",
      .keepsList,
      TrialSetting(rows: "A"),
      [.show(0), .end("A"), .turn, .close]
    ),
  ]

  /// A flaw of the article’s own code.
  private static func manager(
    _ cause: String,
    _ rule: TrialRule,
    _ setting: TrialSetting,
    _ events: [TrialEvent],
    once: Set<TrialEvent> = []
  ) -> TrialFlaw {
    TrialFlaw(
      article: .awesynchronous,
      cause: cause,
      list: OperationsManagerList.self,
      rule: rule,
      setting: setting,
      events: events,
      once: once
    )
  }

  /// A flaw of the framework that the article became.
  private static func framework(
    _ cause: String,
    _ rule: TrialRule,
    _ setting: TrialSetting,
    _ events: [TrialEvent]
  ) -> TrialFlaw {
    TrialFlaw(
      article: .awesynchronous,
      cause: cause,
      list: AsyncableList.self,
      rule: rule,
      setting: setting,
      events: events
    )
  }
}
