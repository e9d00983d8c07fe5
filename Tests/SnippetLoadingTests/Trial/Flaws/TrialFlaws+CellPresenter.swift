extension TrialFlaw {
  static let ofCellPresenter: [TrialFlaw] = [
    cellPresenter(
      "The initializer sets the model without its observer, so the first bind shows nothing.",
      .nothingAtRest,
      TrialSetting(rows: "a"),
      [.show(0), .turn]
    ),
    cellPresenter(
      "A presenter with another model still listens to the former one.",
      .foreignAtRest,
      TrialSetting(rows: "abc"),
      [.show(0), .show(1), .show(2), .edit("b"), .turn]
    ),
    cellPresenter(
      "The same model again is another subscription.",
      .severalUpdates,
      TrialSetting(rows: "a"),
      [.show(0), .reload, .edit("a"), .turn]
    ),
    cellPresenter(
      "What a cell shows first is set in a later turn.",
      .foreign,
      TrialSetting(rows: "ab"),
      [.show(0), .show(1), .reload, .turn]
    ),
    cellPresenter(
      "A cell in the pool is still presented.",
      .reactsInPool,
      TrialSetting(rows: "a"),
      [.show(0), .clear, .reload, .edit("a"), .turn]
    ),
    cellPresenter(
      "A value that is equal is told.",
      .repeatedTitle,
      TrialSetting(rows: "a"),
      [.show(0), .reload, .turn, .editInVain("a")],
      once: [.reload]
    ),
    cellPresenter(
      "Updates that come together are not joined.",
      .repeatedTitle,
      TrialSetting(rows: "a"),
      [.show(0), .reload, .turn, .edit("a")],
      once: [.reload]
    ),
    cellPresenter(
      "Presenter, cell and the closure of a tap hold each other.",
      .keepsCells,
      TrialSetting(rows: "a"),
      [.show(0), .reload, .turn, .close]
    ),
    cellPresenter(
      "The presenters are kept with their cells.",
      .keepsCells,
      TrialSetting(rows: "a"),
      [.show(0), .clear, .warn, .turn]
    ),
    cellPresenter(
      "Two types of the same name in different places have one identifier.",
      .wrongType,
      TrialSetting(rows: "aB"),
      [.show(0), .show(1), .end("B"), .turn]
    ),
    cellPresenter(
      "The rows are copied, so there are two truths.",
      .foreignAtRest,
      TrialSetting(rows: "a", newcomer: "x"),
      [.show(0), .insert, .turn]
    ),
  ]

  private static func cellPresenter(
    _ cause: String,
    _ rule: TrialRule,
    _ setting: TrialSetting,
    _ events: [TrialEvent],
    once: Set<TrialEvent> = []
  ) -> TrialFlaw {
    TrialFlaw(
      article: .cellPresenter,
      cause: cause,
      list: CellPresenterList.self,
      rule: rule,
      setting: setting,
      events: events,
      once: once
    )
  }
}
