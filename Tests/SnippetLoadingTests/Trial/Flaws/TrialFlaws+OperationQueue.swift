extension TrialFlaw {
  static let ofOperationQueue: [TrialFlaw] = [
    operationQueue(
      "When a cell has left, its index path finds no cell, and nothing is cancelled.",
      .begunForNobody,
      TrialSetting(rows: "ABC", workerCount: 1),
      [.show(0), .show(1), .show(2), .end("A"), .end("B"), .end("C"), .turn],
      once: [.show(0)]
    ),
    operationQueue(
      "When the row is back by then, the load of its new cell is cancelled.",
      .nothingAtRest,
      TrialSetting(rows: "AB", workerCount: 1, tellsLate: true),
      [.show(0), .show(1), .end("A"), .end("B"), .turn, .tell]
    ),
    operationQueue(
      "An operation that runs never looks whether it was cancelled.",
      .readForNobody,
      TrialSetting(rows: "A"),
      [.show(0), .leave, .comeBack, .end("A"), .turn]
    ),
    operationQueue(
      "A cell that is used again forgets its operation without cancelling it.",
      .begunForNobody,
      TrialSetting(rows: "ABC", workerCount: 1),
      [.show(0), .reuse(1), .reuse(2), .end("A"), .end("B"), .end("C"), .turn],
      once: [.show(0)]
    ),
    operationQueue(
      "A result is brought to an index path, which is another row’s by then.",
      .foreign,
      TrialSetting(rows: "A"),
      [.show(0), .insert, .end("A"), .end("X"), .turn]
    ),
    operationQueue(
      "What is cancelled when the screen is left is not asked for when it is back.",
      .nothingAtRest,
      TrialSetting(rows: "AB", viewport: 2, workerCount: 1),
      [.show(0), .leave, .comeBack, .end("A"), .end("B"), .turn]
    ),
    operationQueue(
      "The queue has no bound.",
      .crowd,
      TrialSetting(rows: "ABC", viewport: 3),
      [.show(0), .end("A"), .end("B"), .end("C"), .turn]
    ),
    operationQueue(
      "Each bind begins with the placeholder.",
      .flash,
      TrialSetting(rows: "A"),
      [.show(0), .reload, .end("A"), .turn]
    ),
    operationQueue(
      "No data make no image, and no error.",
      .silentFailure,
      TrialSetting(rows: "A", broken: ["A"]),
      [.show(0), .end("A"), .turn]
    ),
  ]

  private static func operationQueue(
    _ cause: String,
    _ rule: TrialRule,
    _ setting: TrialSetting,
    _ events: [TrialEvent],
    once: Set<TrialEvent> = []
  ) -> TrialFlaw {
    TrialFlaw(
      article: .operationQueue,
      cause: cause,
      list: OperationQueueList.self,
      rule: rule,
      setting: setting,
      events: events,
      once: once
    )
  }
}
