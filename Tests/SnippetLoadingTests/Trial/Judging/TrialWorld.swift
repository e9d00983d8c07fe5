/// A list on trial with its screen, its source and its judge, moved on event by event.
@MainActor
final class TrialWorld {
  /// What has happened so far.
  private(set) var events: [TrialEvent] = []
  /// The same in words.
  private(set) var words: [String] = []

  /// What was broken before all came to rest.
  private(set) var brokenOnTheWay: [TrialRule] = []

  let setting: TrialSetting
  let model: TrialModel
  let queue: TrialQueue
  let turns = TrialTurns()
  let judge: TrialJudge
  private(set) var screen: TrialScreen?
  private(set) var list: (any ListOnTrial)?
  var isAway: Bool { judge.isAway }
  private(set) var isClosed = false
  private weak var closedScreen: TrialScreen?
  private weak var closedList: (any ListOnTrial)?
  private var made: [TrialScreen.WeakCell] = []

  init(_ setting: TrialSetting, of type: any ListOnTrial.Type) {
    self.setting = setting
    model = TrialModel(setting)
    queue = TrialQueue(model, workerCount: type == OwnList.self ? nil : setting.workerCount)
    judge = TrialJudge(setting, model)
    let screen = TrialScreen(setting, model, judge)
    self.screen = screen
    let list = type.init(
      TrialStage(
        setting: setting,
        model: model,
        queue: queue,
        turns: turns,
        screen: screen
      )
    )
    self.list = list
    screen.list = list
  }

  /// Whether a rule was broken so that its schedule shows it.
  func shows(_ rule: TrialRule) -> Bool {
    (rule.isOfRest ? judge.broken : brokenOnTheWay).contains(rule)
  }

  // MARK: - Events

  /// Whether an event can happen now.
  func allows(_ event: TrialEvent) -> Bool {
    switch event {
    case .end(let picture): return queue.running.contains { $0.picture == picture }
    case .endLatest(let picture): return queue.running.count { $0.picture == picture } > 1
    case .take(let label): return setting.isBusy && queue.canBegin(label)
    case .replace(let picture): return model.picture(picture).version == 1
    case .mend: return !model.broken.isEmpty
    case .turn: return turnCount > 0
    case .edit(let name), .editInVain(let name): return model.item(name) != nil && !isClosed
    case .repaint(let name): return model.item(name)?.pictures.count == 1 && !isClosed
    case .insert: return !model.hasNewcomer && !isClosed
    case .remove: return model.rows.count > 1 && !isClosed
    case .comeBack: return isAway && !isClosed
    case .close: return !isClosed
    default: break
    }
    guard let screen, !isAway else { return false }
    switch event {
    case .show(let first):
      return first < model.rows.count
        && (screen.visible.isEmpty || screen.visible.lowerBound != first)
    case .prepare(let position):
      return position < model.rows.count && screen.cell(at: position) == nil
        && !screen.hasPrepared(position)
    case .reuse(let position): return screen.canReuse(for: position)
    case .clear, .reload, .reset, .leave: return !screen.visible.isEmpty
    case .tell: return screen.hasLeaving
    default: return true
    }
  }

  /// Has an event happen, and judges what comes of it.
  func step(_ event: TrialEvent) {
    // Not held where all of them are to go.
    let held = event == .close ? [] : screen?.boundCells ?? []
    let pictures = held.filter(\.hasOwnPicture).map { ($0, $0.item, $0.item?.picture) }
    let turnCount = turnCount
    perform(event)
    events.append(event)
    words.append(wording(of: event))
    judge.isListChanging = event == .insert || event == .remove
    work()
    guard let screen, let list else { return judgeEnd() }
    for (cell, item, picture) in pictures where event != .reset {
      let isShown = screen.boundCells.contains { $0 === cell } && cell.item === item
      if isShown, item?.picture == picture, !cell.hasOwnPicture { judge.note(.flash) }
    }
    if case .edit(let name) = event {
      let cellCount = screen.boundCells.count { $0.item?.name == name }
      if self.turnCount - turnCount > max(1, cellCount) { judge.note(.severalUpdates) }
    }
    if list.keptCount > setting.memoryLimit ?? .max { judge.note(.hoards) }
    if event == .warn, list.keptCount > screen.visible.count { judge.note(.hoards) }
    if event == .warn, lives(besides: screen) { judge.note(.keepsCells) }
    if screen.made.count > screen.mostNeeded + 2, !list.hasReportedWaste { judge.note(.waste) }
    judge.look(at: screen)
  }

  /// Has everything that is under way come to its end, and judges what stays.
  func comeToRest() {
    brokenOnTheWay = judge.broken
    guard !isClosed else { return }
    // A list that never rests is stopped.
    for _ in 0..<50 {
      work(takesAll: true)
      if let job = queue.running.first {
        end(job.picture, latest: false)
      } else if turnCount > 0 {
        list?.takeTurn()
      } else {
        screen?.tellLeaving()
        pass()
        work(takesAll: true)
        if queue.running.isEmpty, turnCount == 0 { break }
      }
    }
    if let screen, !isAway { judge.lookAtRest(at: screen) }
  }

  private func perform(_ event: TrialEvent) {
    switch event {
    case .show(let first): screen?.scroll(to: first)
    case .clear: screen?.clear()
    case .prepare(let position): screen?.prepare(position)
    case .reuse(let position): screen?.reuse(for: position)
    case .reload: screen?.configureAnew()
    case .tell: screen?.tellLeaving()
    case .reset: judge.reset { list?.reset() }
    case .leave:
      judge.isAway = true
      list?.screenWillDisappear()
    case .comeBack:
      judge.isAway = false
      list?.screenDidAppear()
    case .close: close()
    case .insert:
      model.insertNewcomer()
      list?.reloadRows()
      screen?.insertAtTop()
    case .remove:
      model.removeFirst()
      list?.reloadRows()
      screen?.removeAtTop()
    case .repaint(let name):
      model.item(name)?.repaint(with: "Z")
      list?.itemDidChange()
    case .edit(let name), .editInVain(let name):
      model.item(name)?.edit(toOther: event == .edit(name))
      list?.itemDidChange()
    case .take(let label): begin(label)
    case .end(let picture): end(picture, latest: false)
    case .endLatest(let picture): end(picture, latest: true)
    case .replace(let picture): model.replacePicture(picture)
    case .mend:
      model.mend()
      judge.sourceWasMended(screen: screen)
      pass()
    case .turn: list?.takeTurn() ?? turns.runNext()
    case .warn:
      judge.memoryRanShort()
      screen?.emptyPool()
      list?.memoryDidRunShort()
    }
  }

  private var turnCount: Int { list?.turnCount ?? turns.count }

  private func pass() {
    judge.timePasses()
    list?.timePasses()
  }

  // MARK: - Workers

  /// Workers take what they can, unless the schedule says when.
  private func work(takesAll: Bool = false) {
    list?.handOver()
    guard takesAll || !setting.isBusy else { return }
    while begin() {}
  }

  @discardableResult
  private func begin(_ label: Character? = nil) -> Bool {
    guard let job = queue.beginNext(label) else { return false }
    job.era = judge.resetCount
    judge.loadBegan(job.picture, runningCount: queue.running.count, screen: screen)
    return true
  }

  private func end(_ picture: Character, latest: Bool) {
    guard let ended = queue.end(picture, latest: latest) else { return }
    if ended.answer == .failure { judge.loadFailed(picture, after: ended.era, screen: screen) }
    if let read = ended.tell() { judge.wasRead(read, screen: screen) }
  }

  // MARK: - The end

  private func close() {
    isClosed = true
    made = screen?.made ?? []
    closedScreen = screen
    closedList = list
    screen = nil
    list = nil
  }

  private func judgeEnd() {
    if closedList != nil || closedScreen != nil { judge.note(.keepsList) }
    if made.contains(where: { $0.cell != nil }) { judge.note(.keepsCells) }
  }

  /// Whether a cell lives that the screen has no more.
  private func lives(besides screen: TrialScreen) -> Bool {
    let held = screen.heldCells
    return screen.made.contains { made in
      made.cell.map { cell in !held.contains { $0 === cell } } == true
    }
  }
}
