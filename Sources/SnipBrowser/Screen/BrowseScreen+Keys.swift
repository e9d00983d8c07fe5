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
    work.clearMessages()
    defer { lists.updatePane() }
    if kept.take(key) { return nil }
    if opened.content != nil {
      if let (action, row) = opened.take(key) { perform(action, on: row) }
    } else if let prompt {
      take(key, in: prompt)
      if self.prompt == nil { kept.offerNext() }
    } else if let question {
      self.question = nil
      if DeletionQuestion.isYes(key) { changes.delete(question) } else { work.message = "Kept." }
    } else if let action = KeyMap.action(for: key, in: place) {
      return perform(action)
    } else if place.isTrash, KeyMap.action(for: key, in: ListPlace()) != nil {
      work.message = "Not in the trash. r brings a snippet back."
    }
    return nil
  }

  /// Takes pasted text: it goes into the line being typed, and nowhere else, since it is not meant
  /// as keys.
  func paste(_ text: String) {
    guard var prompt, opened.content == nil else { return }
    prompt.insert(text)
    self.prompt = prompt
    if prompt.purpose == .filter { listing.find(prompt.text) }
  }

  /// Notes that no key has come for a while.
  func rest() {
    list.rest()
    lists.updatePane()
  }

  // MARK: - The list

  private func perform(_ action: BrowseAction) -> Wish? {
    switch action {
    case .down, .up, .left, .right, .pageDown, .pageUp, .first, .last: move(action)
    case .filter: prompt = Prompt(purpose: .filter, text: listing.query)
    case .clear: clear()
    case .toggle(let kind): listing.toggle(kind)
    case .order: listing.orderByNext()
    case .reverseOrder: listing.reverseOrder()
    case .jump: prompt = Prompt(purpose: .date)
    case .retry: listing.retry()
    case .mark: changes.mark()
    case .unmark: lists.marks = []
    case .tag: prompt = changes.prompt(.tag)
    case .pin: changes.togglePin()
    case .trash: changes.moveToTrash()
    case .undo: changes.undo()
    case .showTrash:
      lists.marks = []
      listing.toggleTrash()
    case .bringBack: changes.bringBack()
    case .delete: ask(changes.askToDelete)
    case .emptyTrash: ask(changes.askToEmptyTrash)
    case .export: prompt = changes.prompt(.export)
    case .open: if let row = list.selectedRow { opened.open(row) }
    case .edit: performOnSelected(.edit)
    case .openOutside: performOnSelected(.openOutside)
    case .play: performOnSelected(.play)
    case .copy: performOnSelected(.copy)
    case .gallery: lists.toggleGallery()
    case .counters: lists.showsCounters.toggle()
    case .help: show(Pager(KeyMap.help(in: place)))
    case .quit: return .quit
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .redraw: return .redraw
    }
    return nil
  }

  /// Ends what narrows the list, or else takes the marks off.
  private func clear() {
    if !listing.query.isEmpty {
      listing.find("")
    } else if !lists.marks.isEmpty {
      lists.marks = []
    } else if place.isTrash {
      listing.toggleTrash()
    }
  }

  private func ask(_ question: () -> Void) {
    if let readOnlyWords { work.message = readOnlyWords } else { question() }
  }

  private func move(_ action: BrowseAction) {
    let (layout, page) = (list.layout, list.layout.wholeRows)
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
    case .last: list.selectLast()
    case .up, .left, .pageUp: list.move(by: -step.rows, speed: step.speed)
    default: list.move(by: step.rows, speed: step.speed)
    }
  }

  // MARK: - A snippet

  private func performOnSelected(_ action: OpenedAction) {
    if let row = list.selectedRow { perform(action, on: row) }
  }

  /// Does what neither the list nor an opened snippet does by itself.
  private func perform(_ action: OpenedAction, on row: SnippetRow) {
    switch action {
    case .edit:
      if let readOnlyWords {
        work.message = readOnlyWords
      } else if let programs {
        editing.edit(row, in: programs)
      }
    case .openOutside: if let programs { player.open(row, in: programs) }
    case .play: play(row)
    case .copy: clipboard.copy(row)
    default: break
    }
  }

  /// Plays a recording, or stops the one that is playing or about to.
  private func play(_ row: SnippetRow) {
    let former = player.stop()
    if let former, former == row.id || row.kind != .voice { return }
    guard row.kind == .voice else {
      work.message = "Only recordings can be played."
      return
    }
    if let programs { player.play(row, in: programs) }
  }

  /// The programs of the user; if there are none, that becomes the message.
  private var programs: (any OtherPrograms)? {
    if surroundings.programs == nil {
      work.message = "Other programs are started from a terminal only."
    }
    return surroundings.programs
  }

  // MARK: - The prompt

  private func take(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch (key, prompt.purpose) {
    case (.enter, .filter):
      self.prompt = nil
      listing.tellQueryError()
    case (.enter, _): finish(prompt)
    case (.escape, .filter):
      self.prompt = nil
      listing.find("")
    case (.escape, _): self.prompt = nil
    case (.up, .filter): list.move(by: -1)
    case (.down, .filter): list.move(by: 1)
    default:
      let isChanged = prompt.take(key)
      self.prompt = prompt
      if isChanged, prompt.purpose == .filter { listing.find(prompt.text) }
    }
  }

  /// Carries out a typed line; a line that fails stays, to be corrected.
  private func finish(_ prompt: Prompt) {
    self.prompt = nil
    switch prompt.purpose {
    case .filter: break
    case .tag: changes.putTags(prompt)
    case .export: changes.export(prompt)
    case .date: if !listing.jump(to: prompt.text) { self.prompt = prompt }
    }
  }

  // MARK: - The mouse

  /// The rows or lines for one step of the wheel.
  private static let wheelStep = 3
  /// The longest time between the clicks of a double click.
  private static let doubleClickTime = Duration.milliseconds(400)

  /// Takes an event of the mouse.
  func take(_ event: MouseEvent) {
    defer { lists.updatePane() }
    switch event.action {
    case .wheelUp: scroll(by: -Self.wheelStep)
    case .wheelDown: scroll(by: Self.wheelStep)
    case .press: if opened.content == nil { click(event) }
    case .other: break
    }
  }

  private func scroll(by step: Int) {
    if opened.content == nil { list.scroll(by: step) } else { opened.scroll(by: step) }
  }

  private func click(_ event: MouseEvent) {
    let parts = lists.parts
    let line = event.line - (parts.hasHeader ? 1 : 0)
    guard (0..<parts.listHeight).contains(line) else { return }
    if parts.pane != nil, event.column >= parts.listColumns {
      // Open the snippet that the pane shows in part.
      if prompt == nil, let row = list.selectedRow { opened.open(row) }
      return
    }
    guard let position = list.position(atLine: line, column: event.column) else { return }
    let now = surroundings.now()
    let isSecond =
      lastClick.map { $0.position == position && now - $0.instant <= Self.doubleClickTime } ?? false
    lastClick = isSecond ? nil : (position, now)
    work.message = ""
    list.select(position)
    guard let row = list.selectedRow else { return }
    if let prompt, !prompt.targets.isEmpty, lists.marks.isEmpty {
      // What is being typed is for the snippet that was clicked.
      self.prompt?.targets = [row.id]
    }
    if isSecond, prompt == nil { opened.open(row) }
  }
}
