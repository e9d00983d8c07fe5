import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: What only the owner of the terminal can do, if the key asks for that.
  func take(_ key: Key) -> Wish? {
    if key == .control("c") { return .interrupt }
    if key == .control("z") { return .suspend }
    if key == .control("l") { return .redraw }
    message = ""
    switch mode {
    case .list: return KeyMap.action(for: key).flatMap(perform)
    case .prompt(let prompt): take(key, in: prompt)
    case .pages(let pager): take(key, in: pager)
    case .picture(let view): take(key, in: view)
    }
    return nil
  }

  /// Takes text that was pasted: into the line that is being typed, and nowhere else, since none of
  /// it is meant as keys.
  func paste(_ text: String) {
    guard case .prompt(var prompt) = mode else { return }
    prompt.insert(text)
    mode = .prompt(prompt)
    if prompt.purpose == .filter { find(prompt.text) }
  }

  /// Says that no key has come for a while.
  func rest() {
    list.rest()
  }

  private func perform(_ action: BrowseAction) -> Wish? {
    switch action {
    case .down, .up, .pageDown, .pageUp, .first, .last: move(action)
    case .filter: mode = .prompt(Prompt(purpose: .filter, text: query))
    case .clear: find("")
    case .toggle(let kind): toggle(kind)
    case .open: open()
    case .retry: if !retry() { message = "Nothing has failed here." }
    case .tag: if list.selectedRow != nil { mode = .prompt(Prompt(purpose: .tag)) }
    case .pin: togglePin()
    case .trash: moveToTrash()
    case .undo: undo()
    case .help: show(Pager(title: "Keys", text: KeyMap.help.joined(separator: "\n")))
    case .quit: return .quit
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .redraw: return .redraw
    }
    return nil
  }

  private func move(_ action: BrowseAction) {
    let page = list.layout.wholeRows
    let isPage = [.pageDown, .pageUp].contains(action)
    let step = keyRepeat.step(
      action,
      at: surroundings.now(),
      unit: isPage ? page : 1,
      limit: isPage ? page * 8 : page
    )
    switch action {
    case .first: list.select(0)
    case .last: list.select(.max)
    case .up, .pageUp: list.move(by: -step.rows, speed: step.speed)
    default: list.move(by: step.rows, speed: step.speed)
    }
  }

  private func take(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch (key, prompt.purpose) {
    case (.enter, .filter):
      mode = .list
      tellQueryError()
    case (.enter, .tag):
      mode = .list
      putTags(prompt.text)
    case (.escape, .filter):
      mode = .list
      find("")
    case (.escape, .tag): mode = .list
    case (.up, .filter): list.move(by: -1)
    case (.down, .filter): list.move(by: 1)
    default:
      let isChanged = prompt.take(key)
      mode = .prompt(prompt)
      if isChanged, prompt.purpose == .filter { find(prompt.text) }
    }
  }

  private func take(_ key: Key, in pager: Pager) {
    var pager = pager
    let page = Pager.height(size)
    switch key {
    case .escape, .enter, .character("q"), .character("?"): mode = .list
    case .down, .character("j"): pager.move(by: 1, in: size)
    case .up, .character("k"): pager.move(by: -1, in: size)
    case .pageDown, .character(" "), .control("f"): pager.move(by: page, in: size)
    case .pageUp, .character("b"), .control("b"): pager.move(by: -page, in: size)
    case .home, .character("g"): pager.move(by: -.max, in: size)
    case .end, .character("G"): pager.move(by: .max, in: size)
    case .character("R"): if let id = pager.failure?.id { openAgain(id) }
    default: break
    }
    if case .pages = mode { mode = .pages(pager) }
  }

  private func take(_ key: Key, in view: PictureView) {
    switch key {
    case .escape, .enter, .character("q"), .character("o"): mode = .list
    case .character("i"): show(Pager(title: view.title, text: view.facts))
    default: break
    }
  }

  /// Shows a text over the whole screen.
  func show(_ pager: Pager) {
    var pager = pager
    pager.fit(size)
    mode = .pages(pager)
  }
}
