import Foundation
import SnippetBase
import SnippetExchange
import SnippetMedia
import SnippetStorage
import TerminalKit

/// The snippet that is opened over the whole screen: its text, its picture or what is known of it.
@MainActor
final class OpenedSnippet {
  /// The most bytes of a text that are shown.
  private static let textLimit: Int64 = 1 << 20

  /// The content of the screen; `nil` while nothing is opened.
  private(set) var content: Content?
  /// The content that help covers for a while; `nil` for none.
  private var covered: Content?
  /// The pixels that pictures are drawn in; `nil` for symbols.
  private(set) var pixels: PictureForm?

  private let store: SnippetStore
  private let surroundings: BrowseSurroundings
  private let listing: BrowseListing
  private let lists: BrowseLists
  private let work: BrowseWork
  /// The number of the last opening; an earlier one comes too late.
  private var openingNumber = 0
  /// Whether the text is being wrapped to another size.
  private var isFitting = false
  /// Whether the store is being asked for the snippet.
  private var isFollowing = false
  /// Whether the snippet may have changed since it was asked for.
  private var mayDiffer = false

  private var list: BrowseList { lists.list }
  private var size: ScreenSize { lists.size }
  private var room: BoxSize { PictureView.room(size) }
  private var pictureForm: PictureForm? {
    surroundings.drawing.opening.map { pixels ?? $0.symbols }
  }

  init(
    of store: SnippetStore,
    _ surroundings: BrowseSurroundings,
    _ listing: BrowseListing,
    _ lists: BrowseLists,
    _ work: BrowseWork
  ) {
    (self.store, self.surroundings) = (store, surroundings)
    (self.listing, self.lists, self.work) = (listing, lists, work)
    pixels = surroundings.pixels
  }

  // MARK: - Opening and closing

  /// Shows a snippet.
  ///
  /// The screen stays as it is until the content is ready, so that nothing flickers.
  func open(_ row: SnippetRow) {
    giveUpOpening()
    switch row.kind {
    case .text: openText(of: row)
    case .image, .voice:
      guard let opening = surroundings.drawing.opening else { return showFacts(of: row) }
      openPicture(of: row, with: opening)
    }
  }

  /// Shows a text, and nothing that is still being opened after it.
  func show(_ pager: Pager) {
    giveUpOpening()
    (content, covered) = (.pages(pager), nil)
    fit()
  }

  /// Whether the text on the screen asks a question.
  var isAsking: Bool {
    guard case .pages(let pager)? = content else { return false }
    return pager.answers != nil
  }

  /// Goes back to the list, or from help to what it covers.
  func close() {
    giveUpOpening()
    (content, covered) = (covered, nil)
    resize()
    follow()
  }

  /// The content, as far as it decides on the keys.
  ///
  /// - Parameter isPlaying: Whether the snippet is the recording that is playing.
  /// - Returns: The content's kind and state.
  func place(isPlaying: Bool) -> OpenedPlace {
    var place = OpenedPlace(kind: content?.row?.kind, isPlaying: isPlaying)
    place.isInTrash = content?.row?.deletedAt != nil
    guard case .pages(let pager)? = content else { return place }
    (place.isPage, place.showsFacts) = (true, pager.showsFacts)
    (place.hasMatches, place.hasFailed) = (pager.hasMatches, pager.failure != nil)
    return place
  }

  private func showHelp() {
    let former = content
    show(Pager(KeyMap.help(in: place(isPlaying: false))))
    covered = former
  }

  /// Shows the facts of the snippet, or the snippet again.
  private func toggleFacts(of row: SnippetRow) {
    if case .pages(let pager)? = content, pager.showsFacts, list.selectedRow?.id == row.id {
      open(row)
    } else {
      showFacts(of: row)
    }
  }

  /// Lets what is still being opened come too late.
  func giveUpOpening() { openingNumber += 1 }

  /// Adapts the content to another screen.
  func resize() {
    switch content {
    case .pages: fit()
    case .picture(let view): drawAgain(view)
    case nil: break
    }
  }

  /// Notes that the terminal can show pixels.
  func offer(_ form: PictureForm) {
    // Prefer kitty's of the two: they have all colours and are easier to remove.
    guard surroundings.offeredPixels.contains(form), pixels != .kitty else { return }
    pixels = form
    if case .picture(let view)? = content { drawAgain(view) }
  }

  /// Whether the last opening is still waited for.
  private func isAwaited(_ number: Int, _ row: SnippetRow) -> Bool {
    number == openingNumber && list.selectedRow?.id == row.id
  }

  /// Opens the snippet at a distance in the list, if there is one.
  private func openNeighbour(_ distance: Int) {
    let position = list.selection + distance
    guard (0..<list.count).contains(position) else {
      work.message = distance > 0 ? "This is the last one." : "This is the first one."
      return
    }
    list.select(position)
    if let row = list.selectedRow { open(row) }
  }

  /// Tries again to open a snippet and to load its row's content.
  private func openAgain(_ row: SnippetRow) {
    guard case .pages(let pager)? = content, pager.failure != nil, list.selectedRow?.id == row.id
    else { return }
    content = nil
    _ = list.retry()
    open(row)
  }

  private func showFacts(of row: SnippetRow) {
    let number = openingNumber
    work.start { [self] in
      let facts = try await facts(of: row)
      if isAwaited(number, row) { show(facts) }
    }
  }

  private func facts(of row: SnippetRow) async throws -> Pager {
    let note = try await row.hasNote ? store.note(of: row.id) : ""
    let files = try await store.origins(of: row.id).map(\.url.path)
    let text = row.factLines(note: note, files: files)
    var pager = Pager(title: row.shownTitle, text: text, row: row)
    pager.showsFacts = true
    return pager
  }

  // MARK: - Keys

  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: What others are to do, and with which snippet; `nil` for nothing.
  func take(_ key: Key) -> (action: OpenedAction, row: SnippetRow)? {
    if case .pages(var pager)? = content, pager.move(by: key, in: size) {
      content = .pages(pager)
      return nil
    }
    let row = content?.row
    switch (KeyMap.openedAction(for: key), row) {
    case (.help, _?): showHelp()
    case (.help, nil): if !isAsking { close() }
    case (.close, _): close()
    case (.nextMatch, _): moveToMatch(isForward: true)
    case (.previousMatch, _): moveToMatch(isForward: false)
    case (.next, _?): openNeighbour(1)
    case (.previous, _?): openNeighbour(-1)
    case (.facts, let row?): toggleFacts(of: row)
    case (.retry, let row?): openAgain(row)
    case (let action?, let row?): return (action, row)
    default: break
    }
    return nil
  }

  /// Scrolls a text.
  func scroll(by lines: Int) {
    guard case .pages(var pager)? = content else { return }
    pager.move(by: lines, in: size)
    content = .pages(pager)
  }

  private func moveToMatch(isForward: Bool) {
    guard case .pages(var pager)? = content else { return }
    if !pager.moveToMatch(isForward: isForward, in: size) {
      work.message = "Nothing was looked for here."
    }
    content = .pages(pager)
  }

  // MARK: - Texts

  private func openText(of row: SnippetRow) {
    let number = openingNumber
    work.start { [self] in
      let pager = try await textPager(of: row)
      if isAwaited(number, row) { show(pager) }
    }
  }

  /// Wraps the text to the screen; a long one stays as it was, cut at the edge, until that is done
  /// elsewhere.
  private func fit() {
    guard case .pages(var pager)? = content else { return }
    let size = size
    guard pager.takesLong(toFit: size) else {
      pager.fit(size)
      content = .pages(pager)
      return
    }
    pager.stay(within: size)
    content = .pages(pager)
    // One at a time: dragging a window makes many sizes.
    guard !isFitting else { return }
    isFitting = true
    work.start { [self, pager] in
      let fitted = await OwnThreads.result {
        var fitted = pager
        fitted.fit(size)
        return fitted
      }
      isFitting = false
      guard case .pages(var current)? = content else { return }
      if self.size.columns == size.columns { current.takeLines(of: fitted) }
      content = .pages(current)
      // The screen or the text may have changed by now.
      fit()
    }
  }

  /// Reads a text, wraps it and goes to the first match of the search.
  private func textPager(of row: SnippetRow) async throws -> Pager {
    let (text, size) = (try await text(of: row), size)
    let marks = list.findings?.marks
    // Wrapping a long text takes longer than a frame may.
    return await OwnThreads.result {
      var pager = Pager(
        title: row.shownTitle,
        text: TerminalText(text, lines: .kept).description,
        row: row,
        marks: marks
      )
      pager.fit(size)
      _ = pager.moveToMatch(isForward: true, in: size)
      return pager
    }
  }

  private func text(of row: SnippetRow) async throws -> String {
    if row.byteCount <= Self.textLimit {
      return try await store.text(of: row.id)
    }
    let bytes = try await store.content(of: row.id, in: 0..<Self.textLimit)
    let encoding = TextEncoding.recognized(inBeginning: bytes)
    let text = encoding?.decodePrefix(bytes) ?? String(decoding: bytes, as: UTF8.self)
    return text + "\n\nThis is the beginning. `snip cat \(row.id)` writes all of it."
  }

  // MARK: - Pictures

  private func openPicture(of row: SnippetRow, with opening: PictureOpening) {
    let number = openingNumber
    let words = "Opening \(row.shownTitle) …"
    work.message = words
    work.start { [self] in
      defer { if work.message == words { work.message = "" } }
      do {
        let drawn = try await opening.picture(of: row, in: store, fitting: room, as: pictureForm)
        guard isAwaited(number, row) else { return }
        work.message = ""
        let view = PictureView(
          row: row,
          title: row.shownTitle,
          summary: row.summary,
          drawn: drawn
        )
        content = .picture(view)
        if drawn.room != room || drawn.form != pictureForm { drawAgain(view) }
      } catch let error as MediaError {
        guard isAwaited(number, row) else { return }
        work.message = ""
        let reason = TerminalText(error.reason, lines: .folded).description
        let facts = row.factLines(note: row.hasNote ? row.preview : "")
        show(
          Pager(
            title: row.shownTitle,
            text: DecoderAdvice().line(row, error) + "\n\n" + facts,
            row: row,
            failure: Pager.Failure(id: row.id, reason: reason)
          )
        )
      }
    }
  }

  /// Draws a picture for a screen of another size or ability; the former drawing stays until then.
  private func drawAgain(_ view: PictureView) {
    guard let opening = surroundings.drawing.opening else { return }
    work.start { [self] in
      let drawn = try await opening.draw(view.drawn.picture, fitting: room, as: pictureForm)
      // The screen may have changed once more, and another drawing is on its way.
      guard case .picture(var current)? = content, current.row.id == view.row.id,
        drawn.room == room
      else { return }
      current.drawn = drawn
      content = .picture(current)
    }
  }

  // MARK: - Following the store

  /// Brings the content up to date with the store.
  func follow() {
    guard let opened = content?.row else { return }
    if let row = list.selectedRow, row == opened { return }
    guard !isFollowing else {
      mayDiffer = true
      return
    }
    isFollowing = true
    mayDiffer = false
    work.start { [self] in
      defer {
        isFollowing = false
        if mayDiffer { follow() }
      }
      let store = store
      let row = try await OwnThreads.result { try store.row(opened.id) }
      try await show(row, inPlaceOf: opened)
    }
  }

  private func show(_ row: SnippetRow?, inPlaceOf opened: SnippetRow) async throws {
    guard let row else { return note("It has been deleted.", on: opened.id) }
    let isInTrash = row.deletedAt != nil && !listing.filter.isInTrash
    note(isInTrash ? "It has been moved to the trash." : "", on: opened.id)
    guard row != opened else { return }
    switch content {
    case .pages(let pager)? where pager.row?.id == row.id && pager.failure == nil:
      let isText = row.kind == .text && !pager.showsFacts
      var new = isText ? try await textPager(of: row) : pager
      if !isText {
        new = try await facts(of: row)
        new.fit(size)
      }
      // It may have been closed in the meantime, and read on.
      guard case .pages(let current)? = content, current.row?.id == row.id else { return }
      new.goOn(from: current, in: size)
      new.notice = current.notice
      content = .pages(new)
      fit()
    case .picture(var view)? where view.row.id == row.id:
      (view.row, view.title, view.summary) = (row, row.shownTitle, row.summary)
      content = .picture(view)
    default: break
    }
  }

  private func note(_ text: String, on id: SnippetID) {
    if content?.row?.id == id { content?.notice = text }
  }
}
