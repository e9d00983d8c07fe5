/// Watches a list on trial, and notes the rules that it breaks.
///
/// It is told of everything as it happens. How things stand is judged after each event and at rest.
@MainActor
final class TrialJudge {
  private(set) var broken: [TrialRule] = []
  private let setting: TrialSetting
  private let model: TrialModel
  /// What was read to its end, and need not be read again.
  private var read: Set<TrialPicture> = []
  private var lastFailure: (picture: Character, time: Int, bind: Int)?
  /// The last bind before the source was mended.
  private var bindAtMending = 0
  /// What has failed since, by loads that had begun before.
  private var lateFailures: Set<Character> = []
  /// Whether another screen covers the list.
  var isAway = false { didSet { lastFailure = nil } }
  /// Whether cells go that were bound when the list heard of its new rows.
  var isListChanging = false
  /// Whether a user is asking for everything again.
  private var isResetting = false
  /// The pictures as they were when everything was asked for again.
  private var renewed: [Character: TrialPicture] = [:]
  private var time = 0
  private(set) var resetCount = 0

  init(_ setting: TrialSetting, _ model: TrialModel) {
    self.setting = setting
    self.model = model
  }

  func note(_ rule: TrialRule) {
    if !broken.contains(rule) { broken.append(rule) }
  }

  // MARK: - What cells are told

  func cell(_ cell: TrialCell, wasToldTitleAfter former: String?) {
    guard let title = cell.title else { return }
    if cell.item == nil { note(.reactsInPool) }
    if title == former { note(.repeatedTitle) }
  }

  func cell(_ cell: TrialCell, wasToldContentAfter former: TrialCell.Content) {
    guard cell.content != .nothing else { return }
    if cell.item == nil { note(.reactsInPool) }
    guard cell.content == former else { return }
    // A reset says that it loads, to whoever waits too, and so does another picture.
    let isNews = isResetting || cell.item?.pictures.count ?? 1 > 1
    if case .placeholder = cell.content, !isNews { note(.repeatedWait) }
    if case .picture = cell.content { note(.repeatedPicture) }
  }

  // MARK: - What is loaded

  func loadBegan(_ picture: Character, runningCount: Int, screen: TrialScreen?) {
    if runningCount > TrialSetting.crowd { note(.crowd) }
    // A load may have been given up by the time that a worker takes it. Whether it is read all the
    // same is judged at its end.
    let mayBeGivenUp = setting.isBusy || isListChanging
    if !mayBeGivenUp, !isWanted(picture, screen) { note(.begunForNobody) }
    if setting.memoryLimit == nil, read.contains(model.picture(picture)) { note(.readAgain) }
    if let lastFailure, let screen,
      lastFailure == (picture, time, screen.lastBind)
    {
      note(.hurry)
    }
  }

  /// A load came to its end with the whole picture.
  func wasRead(_ picture: TrialPicture, screen: TrialScreen?) {
    if !isWanted(picture.name, screen) { note(.readForNobody) }
    if !read.insert(picture).inserted, setting.memoryLimit == nil { note(.readAgain) }
  }

  /// A load failed that had begun after a number of resets.
  func loadFailed(_ picture: Character, after resetCount: Int, screen: TrialScreen?) {
    if resetCount == self.resetCount { lastFailure = (picture, time, screen?.lastBind ?? 0) }
    lateFailures.insert(picture)
  }

  func timePasses() { time += 1 }

  func sourceWasMended(screen: TrialScreen?) {
    bindAtMending = screen?.lastBind ?? 0
    lateFailures = []
  }

  func reset(_ body: () -> Void) {
    resetCount += 1
    lastFailure = nil
    read = []
    for item in model.rows { renewed[item.picture] = model.picture(item.picture) }
    isResetting = true
    body()
    isResetting = false
  }

  func memoryRanShort() { read = [] }

  private func isWanted(_ picture: Character, _ screen: TrialScreen?) -> Bool {
    guard !isAway, let screen else { return false }
    return screen.heldCells.contains { $0.item?.pictures.contains(picture) == true }
  }

  // MARK: - How things stand

  /// Judges what can be seen between two turns of the main actor.
  func look(at screen: TrialScreen) {
    for cell in screen.boundCells {
      guard let item = cell.item else { continue }
      if let title = cell.title, title.first != item.name { note(.foreign) }
      guard case .picture(let picture) = cell.content else { continue }
      if item.kind == .note { note(.pictureInText) }
      if !item.pictures.contains(picture.name) { note(.foreign) }
    }
  }

  /// Judges what stays when nothing is under way any more.
  func lookAtRest(at screen: TrialScreen) {
    for (position, cell) in screen.visibleCells {
      let item = model.rows[position]
      switch cell.title {
      case nil: note(.nothingAtRest)
      case let title? where title.first != item.name: note(.foreignAtRest)
      case let title: if title != item.title { note(.staleAtRest) }
      }
      if item.kind == .photo, let flaw = flawAtRest(of: cell, for: item) { note(flaw) }
    }
  }

  private func flawAtRest(of cell: TrialCell, for item: TrialItem) -> TrialRule? {
    let isBroken = model.broken.contains(item.picture)
    switch cell.content {
    case .nothing, .placeholder: return isBroken ? .silentFailure : .nothingAtRest
    case .failure:
      // Who showed it before may go on until it is bound again.
      let isOld = cell.bindNumber <= bindAtMending
      return isBroken || isOld || lateFailures.contains(item.picture) ? nil : .lastingFailure
    case .picture(let picture):
      guard picture.name == item.picture else {
        return item.pictures.contains(picture.name) ? .staleAtRest : .foreignAtRest
      }
      return renewed[item.picture].map { $0.version > picture.version } == true ? .staleAtRest : nil
    }
  }
}
