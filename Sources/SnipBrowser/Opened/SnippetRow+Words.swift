import SnipCore
import SnippetStorage
import TerminalKit

extension SnippetRow {
  /// The most files to name among the facts.
  private static let toldFileCount = 5

  /// Whether it is an image or a recording with a note.
  var hasNote: Bool { kind != .text && !preview.isEmpty }

  /// The title, or else the number, safe to print.
  var shownTitle: String {
    TerminalText(title.isEmpty ? "Snippet \(id)" : title, lines: .folded).description
  }

  /// The facts in a line.
  var summary: String {
    let facts = [
      ContentType(mediaType: mediaType)?.name ?? mediaType,
      factsText,
      flawText,
      ByteCountText(byteCount).description,
      tags.map { "#" + $0 }.joined(separator: " "),
      DateText.short(createdAt),
    ]
    let text = facts.filter { !$0.isEmpty }.joined(separator: "  ")
    return TerminalText(text, lines: .folded).description
  }

  /// The facts, each in a line.
  ///
  /// - Parameters:
  ///   - note: The note of an image or a recording, which comes after them.
  ///   - files: The paths of the files that it came from or was written to.
  /// - Returns: The lines, safe to print.
  func factLines(note: String, files: [String] = []) -> String {
    let facts = [
      ("kind", kind.name),
      ("type", mediaType),
      (kind == .image ? "pixels" : "time", factsText),
      ("sound", soundText),
      ("content", flawSentence),
      ("size", ByteCountText(byteCount).description),
      ("tags", tags.map { "#" + $0 }.joined(separator: " ")),
      ("pinned", isPinned ? "yes" : ""),
      ("created", DateText.short(createdAt)),
      ("changed", DateText.short(modifiedAt)),
      ("number", "\(id)"),
    ]
    let told = files.prefix(Self.toldFileCount).map { ("file", $0) }
    let untold = files.count - told.count
    let all = facts + told + [("", untold > 0 ? "and \(untold) more files" : "")]
    let lines = all.filter { !$0.1.isEmpty }.map { name, value in
      name.padded(toWidth: 9) + TerminalText(value, lines: .folded).description
    }
    let noteLines = note.isEmpty ? [] : ["", TerminalText(note, lines: .kept).description]
    return (lines + noteLines + ["", "`snip cat \(id) -o FILE` writes its bytes."])
      .joined(separator: "\n")
  }
}
