extension TrialFlaw {
  static let ofCellSubclasses: [TrialFlaw] = [
    cellSubclasses(
      "A result is brought to an index path, which is another row’s by then.",
      .foreign,
      TrialSetting(rows: "A"),
      [.show(0), .insert, .end("A"), .end("X"), .turn]
    ),
    cellSubclasses(
      "The cell of an index path may be of another kind by then.",
      .pictureInText,
      TrialSetting(rows: "A", newcomer: "x"),
      [.show(0), .insert, .end("A"), .turn]
    ),
    cellSubclasses(
      "A cell that is prepared is not found, and its result is lost.",
      .nothingAtRest,
      TrialSetting(rows: "AB"),
      [.show(0), .show(1), .prepare(1), .end("A"), .end("B"), .turn]
    ),
    cellSubclasses(
      "Loads are never cancelled, and come in the order in which they were asked for.",
      .begunForNobody,
      TrialSetting(rows: "ABC", workerCount: 1),
      [.show(0), .show(1), .show(2), .end("A"), .end("B"), .end("C"), .turn],
      once: [.show(0)]
    ),
    cellSubclasses(
      "The global queue takes any number of loads that block.",
      .crowd,
      TrialSetting(rows: "ABC", viewport: 3),
      [.show(0), .end("A"), .end("B"), .end("C"), .turn]
    ),
    cellSubclasses(
      "Nothing is kept, so scrolling back loads again.",
      .readAgain,
      TrialSetting(rows: "AB"),
      [.show(0), .clear, .end("A"), .end("B"), .turn]
    ),
    cellSubclasses(
      "Two cells with the same picture load it twice.",
      .readAgain,
      TrialSetting(rows: "AB", samePictures: ["B": "A"], viewport: 2),
      [.show(0), .end("A"), .turn]
    ),
    cellSubclasses(
      "A failure is an image that is nil.",
      .silentFailure,
      TrialSetting(rows: "A", broken: ["A"]),
      [.show(0), .end("A"), .turn]
    ),
    cellSubclasses(
      "The image is reset without a look at what the cell shows.",
      .flash,
      TrialSetting(rows: "A"),
      [.show(0), .reload, .end("A"), .turn]
    ),
    cellSubclasses(
      "The block of a load holds the table.",
      .keepsList,
      TrialSetting(rows: "A"),
      [.show(0), .end("A"), .turn, .close]
    ),
  ]

  private static func cellSubclasses(
    _ cause: String,
    _ rule: TrialRule,
    _ setting: TrialSetting,
    _ events: [TrialEvent],
    once: Set<TrialEvent> = []
  ) -> TrialFlaw {
    TrialFlaw(
      article: .cellSubclasses,
      cause: cause,
      list: CellSubclassesList.self,
      rule: rule,
      setting: setting,
      events: events,
      once: once
    )
  }
}
