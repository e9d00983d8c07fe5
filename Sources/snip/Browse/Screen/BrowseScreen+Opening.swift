import Foundation
import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// The most bytes of a text that are shown.
  private static let textLimit: Int64 = 1 << 20

  /// Shows the selected snippet over the whole screen: its text, its picture or waveform, or what
  /// is known of it.
  func open() {
    guard let row = list.selectedRow else { return }
    switch row.kind {
    case .text: openText(of: row)
    case .image, .voice:
      guard let opening = surroundings.drawing.opening else {
        return show(Pager(title: title(of: row), text: facts(of: row)))
      }
      openPicture(of: row, with: opening)
    }
  }

  private func openText(of row: SnippetRow) {
    start { [self] in
      let (text, title, size) = (try await text(of: row), title(of: row), size)
      // To wrap a long text takes longer than a frame may.
      let pager = await OwnThreads.result {
        var pager = Pager(title: title, text: TerminalText(text, lines: .kept).description)
        pager.fit(size)
        return pager
      }
      guard case .list = mode else { return }
      show(pager)
    }
  }

  /// The list stays until the picture is drawn, so that nothing flickers; if another snippet has
  /// been selected by then, it stays for good.
  private func openPicture(of row: SnippetRow, with opening: PictureOpening) {
    let (title, facts) = (title(of: row), facts(of: row))
    message = "Opening \(title) …"
    start { [self] in
      do {
        let drawn = try await opening.picture(of: row, in: store, fitting: PictureView.room(size))
        guard case .list = mode, list.selectedRow?.id == row.id else { return }
        let view = PictureView(
          id: row.id,
          title: title,
          facts: facts,
          summary: summary(of: row),
          drawn: drawn
        )
        mode = .picture(view)
        if drawn.room != PictureView.room(size) { drawAgain(view) }
      } catch let error as MediaError {
        guard case .list = mode, list.selectedRow?.id == row.id else { return }
        let reason = TerminalText(error.reason, lines: .folded).description
        show(
          Pager(
            title: title,
            text: facts + "\n\n" + DecoderAdvice().line(row, error),
            failure: Pager.Failure(id: row.id, reason: reason)
          )
        )
      }
    }
  }

  /// Tries to open a snippet once more, and to load what its row shows.
  func openAgain(_ id: SnippetID) {
    mode = .list
    guard list.selectedRow?.id == id else { return }
    _ = list.retry()
    open()
  }

  /// Draws an open picture for a screen of another size; meanwhile the former one stays.
  func drawAgain(_ view: PictureView) {
    guard let opening = surroundings.drawing.opening else { return }
    start { [self] in
      let drawn = try await opening.draw(view.drawn.picture, fitting: PictureView.room(size))
      // The screen may have got yet another size, for which another drawing is on its way.
      guard case .picture(var current) = mode, current.id == view.id,
        drawn.room == PictureView.room(size)
      else { return }
      current.drawn = drawn
      mode = .picture(current)
    }
  }

  private func text(of row: SnippetRow) async throws -> String {
    if row.byteCount <= Self.textLimit {
      return try await store.text(of: row.id)
    }
    let bytes = try await store.content(of: row.id, in: 0..<Self.textLimit)
    let encoding = TextEncoding.recognized(in: bytes)
    let text = encoding?.decodePrefix(bytes) ?? String(decoding: bytes, as: UTF8.self)
    return text + "\n\nThis is the beginning. `snip cat \(row.id)` writes all of it."
  }

  /// What is known of a snippet, in a line.
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

  private func title(of row: SnippetRow) -> String {
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
