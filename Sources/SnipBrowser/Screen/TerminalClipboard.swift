import Foundation
import SnippetStorage
import TerminalKit

/// Has the terminal copy texts.
@MainActor
final class TerminalClipboard {
  /// The most bytes to copy; many terminals do not accept more.
  private static let byteLimit = 74_000

  private let store: SnippetStore
  private let work: BrowseWork
  private var outgoing: [UInt8] = []

  init(of store: SnippetStore, _ work: BrowseWork) {
    (self.store, self.work) = (store, work)
  }

  /// Takes the bytes that are to be written to the terminal once.
  func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Copies a text; of any other snippet the title, or the number if it has none.
  func copy(_ row: SnippetRow) {
    guard row.kind == .text else {
      let text = row.title.isEmpty ? "\(row.id)" : row.title
      return copy(text, named: row.title.isEmpty ? "the number" : "the title")
    }
    guard row.byteCount <= Int64(Self.byteLimit) else {
      let size = ByteCountText(row.byteCount)
      work.message =
        "Too long for a terminal to copy (\(size)). `snip cat \(row.id)` writes it."
      return
    }
    work.start { [self] in
      copy(try await store.text(of: row.id), named: "the text")
    }
  }

  private func copy(_ text: String, named name: String) {
    let bytes = Data(text.utf8)
    guard bytes.count <= Self.byteLimit else {
      work.message = "Too long for a terminal to copy (\(ByteCountText(Int64(bytes.count))))."
      return
    }
    outgoing += "\u{1B}]52;c;\(bytes.base64EncodedString())\u{1B}\\".utf8
    work.message = "Copied \(name), if the terminal lets programs copy."
  }
}
