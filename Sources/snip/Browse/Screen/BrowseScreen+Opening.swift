import Foundation
import SnippetStore

extension BrowseScreen {
  /// The most bytes of a text that are shown.
  private static let textLimit: Int64 = 1 << 20

  /// Shows the selected snippet over the whole screen: its text, or its facts.
  func open() {
    guard let row = list.selectedRow else { return }
    guard row.kind == .text else { return show(Pager(title: title(of: row), text: facts(of: row))) }
    start { [self] in
      let (text, title, size) = (try await text(of: row), title(of: row), size)
      // To wrap a long text takes longer than a frame may.
      let pager = try await BlockingWork.run {
        var pager = Pager(title: title, text: TerminalText(text, lines: .kept).description)
        pager.fit(size)
        return pager
      }
      guard case .list = mode else { return }
      show(pager)
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

  private func title(of row: SnippetRow) -> String {
    TerminalText(row.title.isEmpty ? "Snippet \(row.id)" : row.title, lines: .folded).description
  }

  private func facts(of row: SnippetRow) -> String {
    let facts = [
      ("title", row.title),
      ("kind", row.kind.name),
      ("type", row.mediaType),
      (row.kind == .image ? "pixels" : "time", row.factsText),
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
