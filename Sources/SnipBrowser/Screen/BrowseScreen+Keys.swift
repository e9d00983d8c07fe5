import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The wish of the key that only the owner of the terminal can fulfil, if any.
  func take(_ key: Key) -> Wish? {
    if key == .control("c") { return .interrupt }
    if key == .control("z") { return .suspend }
    if key == .control("l") { return .redraw }
    message = ""
    losses = []
    defer { updatePane() }
    switch mode {
    case .list: return KeyMap.action(for: key).flatMap(perform)
    case .prompt(let prompt): take(key, in: prompt)
    case .pages(let pager): take(key, in: pager)
    case .picture(let view):
      if let action = KeyMap.openedAction(for: key) { perform(action, on: view.row) }
    }
    return nil
  }

  /// Takes pasted text: it goes into the line being typed, and nowhere else, since it is not meant
  /// as keys.
  func paste(_ text: String) {
    guard case .prompt(var prompt) = mode else { return }
    prompt.insert(text)
    mode = .prompt(prompt)
    if prompt.purpose == .filter { find(prompt.text) }
  }

  /// Notes that no key has come for a while.
  func rest() {
    list.rest()
    updatePane()
  }

  // MARK: - The list

  private func perform(_ action: BrowseAction) -> Wish? {
    switch action {
    case .down, .up, .left, .right, .pageDown, .pageUp, .first, .last: move(action)
    case .filter: mode = .prompt(Prompt(purpose: .filter, text: query))
    case .clear: if query.isEmpty { marks = [] } else { find("") }
    case .toggle(let kind): toggle(kind)
    case .order: orderByNext()
    case .reverseOrder: reverseOrder()
    case .jump: mode = .prompt(Prompt(purpose: .date))
    case .retry: if !retry() { message = "Nothing has failed here." }
    case .mark: mark()
    case .unmark: marks = []
    case .tag: askForTargets(.tag)
    case .pin: togglePin()
    case .trash: moveToTrash()
    case .undo: undo()
    case .export: askForTargets(.export)
    case .open, .edit, .openOutside, .play, .copy: performOnSelected(action)
    case .gallery: toggleGallery()
    case .counters:
      showsCounters.toggle()
      layOut()
    case .help: show(Pager(title: "Keys", text: KeyMap.help.joined(separator: "\n")))
    case .quit: return .quit
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .redraw: return .redraw
    }
    return nil
  }

  private func performOnSelected(_ action: BrowseAction) {
    guard let row = list.selectedRow else { return }
    switch action {
    case .open: open(row)
    case .edit: edit(row)
    case .openOutside: openOutside(row)
    case .play: play(row)
    default: copy(row)
    }
  }

  private func move(_ action: BrowseAction) {
    let (layout, page) = (list.layout, list.layout.wholeRows)
    if layout.countBeside == 1, [.left, .right].contains(action) { return }
    let isPage = [.pageDown, .pageUp].contains(action)
    let isAcross = [.left, .right].contains(action)
    let step = keyRepeat.step(
      action,
      at: surroundings.now(),
      unit: isPage ? page : isAcross ? 1 : layout.countBeside,
      limit: isPage ? page * 8 : page
    )
    switch action {
    case .first: list.select(0)
    case .last: list.select(.max)
    case .up, .left, .pageUp: list.move(by: -step.rows, speed: step.speed)
    default: list.move(by: step.rows, speed: step.speed)
    }
  }

  // MARK: - Typing

  private func take(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch (key, prompt.purpose) {
    case (.enter, .filter):
      mode = .list
      tellQueryError()
    case (.enter, _): finish(prompt)
    case (.escape, .filter):
      mode = .list
      find("")
    case (.escape, _): mode = .list
    case (.up, .filter): list.move(by: -1)
    case (.down, .filter): list.move(by: 1)
    default:
      let isChanged = prompt.take(key)
      mode = .prompt(prompt)
      if isChanged, prompt.purpose == .filter { find(prompt.text) }
    }
  }

  /// Carries out a typed line; a line that fails stays, to be corrected.
  private func finish(_ prompt: Prompt) {
    mode = .list
    switch prompt.purpose {
    case .filter: break
    case .tag: putTags(prompt)
    case .export: export(prompt)
    case .date: if !jump(to: prompt.text) { mode = .prompt(prompt) }
    }
  }

  // MARK: - Opened snippets

  private func take(_ key: Key, in pager: Pager) {
    var pager = pager
    let page = Pager.height(size)
    switch key {
    case .down, .character("j"): pager.move(by: 1, in: size)
    case .up, .character("k"): pager.move(by: -1, in: size)
    case .pageDown, .control("f"): pager.move(by: page, in: size)
    case .character(" ") where pager.row?.kind != .voice: pager.move(by: page, in: size)
    case .pageUp, .character("b"), .control("b"): pager.move(by: -page, in: size)
    case .home, .character("g"): pager.move(by: -.max, in: size)
    case .end, .character("G"): pager.move(by: .max, in: size)
    case .character("?") where pager.row == nil: return mode = .list
    default:
      switch KeyMap.openedAction(for: key) {
      case nil: return
      case .close: return closeOpened()
      case .nextMatch, .previousMatch:
        let isForward = key == .character("n")
        if !pager.moveToMatch(isForward: isForward, in: size) {
          message = "Nothing was looked for here."
        }
      case let action?:
        if let row = pager.row { perform(action, on: row) }
        return
      }
    }
    mode = .pages(pager)
  }

  private func perform(_ action: OpenedAction, on row: SnippetRow) {
    switch action {
    case .next: openNeighbour(1)
    case .previous: openNeighbour(-1)
    case .edit: edit(row)
    case .openOutside: openOutside(row)
    case .play: play(row)
    case .copy: copy(row)
    case .facts: showFacts(of: row)
    case .retry: openAgain(row)
    case .close: closeOpened()
    case .nextMatch, .previousMatch: break
    }
  }

  private func closeOpened() {
    // A snippet that is still being opened comes too late.
    openingNumber += 1
    mode = .list
  }

  /// Shows a text over the whole screen, and drops a snippet that is still being opened.
  func show(_ pager: Pager) {
    openingNumber += 1
    mode = .pages(pager)
    fitOpened()
  }
}
