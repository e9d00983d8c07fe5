import Foundation
import SnipCore
import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// The most bytes of a text that are shown.
  private static let textLimit: Int64 = 1 << 20

  /// Shows a snippet over the whole screen: its text, its picture or waveform, or its facts.
  ///
  /// The former screen stays until it is ready, so that nothing flickers.
  func open(_ row: SnippetRow) {
    openingNumber += 1
    switch row.kind {
    case .text: openText(of: row)
    case .image, .voice:
      guard let opening = surroundings.drawing.opening else { return showFacts(of: row) }
      openPicture(of: row, with: opening)
    }
  }

  /// Opens the snippet at a distance in the list, if there is one.
  func openNeighbour(_ distance: Int) {
    let position = list.selection + distance
    guard (0..<list.count).contains(position) else {
      message = distance > 0 ? "This is the last one." : "This is the first one."
      return
    }
    list.select(position)
    if let row = list.selectedRow { open(row) }
  }

  /// Whether the snippet opened last is still on its way.
  private func isAwaited(_ number: Int, _ row: SnippetRow) -> Bool {
    number == openingNumber && list.selectedRow?.id == row.id
  }

  private func openText(of row: SnippetRow) {
    let number = openingNumber
    start { [self] in
      let pager = try await textPager(of: row)
      guard isAwaited(number, row) else { return }
      show(pager)
    }
  }

  /// Wraps the opened text to the screen.
  ///
  /// A long one stays as it was, cut off at the edge, until another thread has wrapped it.
  func fitOpened() {
    guard case .pages(var pager) = mode else { return }
    let size = size
    guard pager.takesLong(toFit: size) else {
      pager.fit(size)
      mode = .pages(pager)
      return
    }
    pager.stay(within: size)
    mode = .pages(pager)
    // One at a time: dragging a window makes many sizes.
    guard !isFitting else { return }
    isFitting = true
    start { [self, pager] in
      let fitted = await OwnThreads.result {
        var fitted = pager
        fitted.fit(size)
        return fitted
      }
      isFitting = false
      guard case .pages(var current) = mode else { return }
      if self.size.columns == size.columns { current.takeLines(of: fitted) }
      mode = .pages(current)
      // The screen or the text may have changed by now.
      fitOpened()
    }
  }

  /// Reads a text, wraps it and goes to the first match.
  private func textPager(of row: SnippetRow) async throws -> Pager {
    let (text, title, size) = (try await text(of: row), title(of: row), size)
    let marks = list.findings?.marks
    // Wrapping a long text takes longer than a frame may.
    return await OwnThreads.result {
      var pager = Pager(
        title: title,
        text: TerminalText(text, lines: .kept).description,
        row: row,
        marks: marks
      )
      pager.fit(size)
      _ = pager.moveToMatch(isForward: true, in: size)
      return pager
    }
  }

  private func openPicture(of row: SnippetRow, with opening: PictureOpening) {
    let (number, title) = (openingNumber, title(of: row))
    let words = "Opening \(title) …"
    message = words
    start { [self] in
      defer { if message == words { message = "" } }
      do {
        let drawn = try await opening.picture(of: row, in: store, fitting: room, as: pictureForm)
        guard isAwaited(number, row) else { return }
        message = ""
        let view = PictureView(row: row, title: title, summary: summary(of: row), drawn: drawn)
        mode = .picture(view)
        if drawn.room != PictureView.room(size) || drawn.form != pictureForm { drawAgain(view) }
      } catch let error as MediaError {
        guard isAwaited(number, row) else { return }
        message = ""
        let reason = TerminalText(error.reason, lines: .folded).description
        show(
          Pager(
            title: title,
            text: facts(of: row) + "\n\n" + DecoderAdvice().line(row, error),
            row: row,
            failure: Pager.Failure(id: row.id, reason: reason)
          )
        )
      }
    }
  }

  private var room: BoxSize { PictureView.room(size) }
  private var pictureForm: PictureForm? {
    surroundings.drawing.opening.map { pixels ?? $0.symbols }
  }

  /// Shows the facts of a snippet over the whole screen.
  func showFacts(of row: SnippetRow) {
    var pager = Pager(title: title(of: row), text: facts(of: row), row: row)
    pager.showsFacts = true
    show(pager)
  }

  /// Tries again to open a snippet and to load its row's content.
  func openAgain(_ row: SnippetRow) {
    guard case .pages(let pager) = mode, pager.failure != nil, list.selectedRow?.id == row.id else {
      return
    }
    mode = .list
    _ = list.retry()
    open(row)
  }

  /// Draws an open picture for another screen; the former drawing stays until it is done.
  func drawAgain(_ view: PictureView) {
    guard let opening = surroundings.drawing.opening else { return }
    start { [self] in
      let drawn = try await opening.draw(view.drawn.picture, fitting: room, as: pictureForm)
      // The screen may have changed once more, and another drawing is on its way.
      guard case .picture(var current) = mode, current.row.id == view.row.id, drawn.room == room
      else { return }
      current.drawn = drawn
      mode = .picture(current)
    }
  }

  /// Notes that the terminal can show pixels.
  func offer(_ form: PictureForm) {
    // Prefer kitty's of the two: they have all colours and are easier to remove.
    guard surroundings.offeredPixels.contains(form), pixels != .kitty else { return }
    pixels = form
    if case .picture(let view) = mode { drawAgain(view) }
  }

  // MARK: - Following the store

  /// Looks for changes of the opened snippet.
  func followOpened() {
    guard let opened = mode.opened else { return }
    if let row = list.selectedRow, row == opened { return }
    guard !isFollowingOpened else {
      mayOpenedDiffer = true
      return
    }
    isFollowingOpened = true
    mayOpenedDiffer = false
    start { [self] in
      defer {
        isFollowingOpened = false
        if mayOpenedDiffer { followOpened() }
      }
      let store = store
      let row = try await OwnThreads.result { try store.row(opened.id) }
      try await show(row, inPlaceOf: opened)
    }
  }

  /// Shows the present state of the opened snippet.
  private func show(_ row: SnippetRow?, inPlaceOf opened: SnippetRow) async throws {
    guard let row else { return notice("It has been deleted.", on: opened.id) }
    notice(
      row.deletedAt != nil && !filter.isInTrash ? "It has been moved to the trash." : "",
      on: opened.id
    )
    guard row != opened else { return }
    switch mode {
    case .pages(let pager) where pager.row?.id == row.id && pager.failure == nil:
      let isText = row.kind == .text && !pager.showsFacts
      var new = isText ? try await textPager(of: row) : pager
      if !isText {
        new = Pager(title: title(of: row), text: facts(of: row), row: row)
        new.showsFacts = true
        new.fit(size)
      }
      // It may have been closed or scrolled since.
      guard case .pages(let current) = mode, current.row?.id == row.id else { return }
      new.goOn(from: current, in: size)
      new.notice = current.notice
      mode = .pages(new)
      fitOpened()
    case .picture(var view) where view.row.id == row.id:
      view.row = row
      view.title = title(of: row)
      view.summary = summary(of: row)
      mode = .picture(view)
    default: break
    }
  }

  private func notice(_ text: String, on id: SnippetID) {
    guard mode.opened?.id == id else { return }
    switch mode {
    case .pages(var pager):
      pager.notice = text
      mode = .pages(pager)
    case .picture(var view):
      view.notice = text
      mode = .picture(view)
    case .list, .prompt: break
    }
  }

  // MARK: - Words

  private func text(of row: SnippetRow) async throws -> String {
    if row.byteCount <= Self.textLimit {
      return try await store.text(of: row.id)
    }
    let bytes = try await store.content(of: row.id, in: 0..<Self.textLimit)
    let encoding = TextEncoding.recognized(in: bytes)
    let text = encoding?.decodePrefix(bytes) ?? String(decoding: bytes, as: UTF8.self)
    return text + "\n\nThis is the beginning. `snip cat \(row.id)` writes all of it."
  }

  /// The facts of a snippet, in one line.
  private func summary(of row: SnippetRow) -> String {
    let facts = [
      ContentType(mediaType: row.mediaType)?.name ?? row.mediaType,
      row.factsText,
      ByteCountText(row.byteCount).description,
      row.tags.map { "#" + $0 }.joined(separator: " "),
      DateText.short(row.createdAt),
    ]
    let text = facts.filter { !$0.isEmpty }.joined(separator: "  ")
    return TerminalText(text, lines: .folded).description
  }

  func title(of row: SnippetRow) -> String {
    TerminalText(row.title.isEmpty ? "Snippet \(row.id)" : row.title, lines: .folded).description
  }

  private func facts(of row: SnippetRow) -> String {
    let facts = [
      ("title", row.title),
      ("kind", row.kind.name),
      ("type", row.mediaType),
      (row.kind == .image ? "pixels" : "time", row.factsText),
      ("sound", row.soundText),
      ("size", ByteCountText(row.byteCount).description),
      ("tags", row.tags.map { "#" + $0 }.joined(separator: " ")),
      ("pinned", row.isPinned ? "yes" : ""),
      ("created", DateText.short(row.createdAt)),
      ("changed", DateText.short(row.modifiedAt)),
      ("number", "\(row.id)"),
    ]
    let lines = facts.filter { !$0.1.isEmpty }.map { name, value in
      name.padded(toWidth: 9) + TerminalText(value, lines: .folded).description
    }
    return (lines + ["", "`snip cat \(row.id) -o FILE` writes its bytes."]).joined(separator: "\n")
  }
}
