import Foundation
import SnippetExchange
import TerminalKit

/// The files of folders whose snippets were deleted, or moved to the trash.
struct RemainingFiles {
  private static let namedCount = 5

  private let files: [RemainingFile]
  /// Whether the store still knows them, so that an export can move them away.
  private let areKnown: Bool

  init(_ files: [RemainingFile], areKnown: Bool) {
    (self.files, self.areKnown) = (files, areKnown)
  }

  /// Adds the paths to what is printed as JSON.
  static func add(_ remainder: Remainder, to object: inout JSONObject) {
    let (files, archives) = (remainder.files, remainder.archives)
    if !files.isEmpty { object["files"] = .array(files.map { .string($0.url.path) }) }
    if !archives.isEmpty { object["archives"] = .array(archives.map { .string($0.path) }) }
  }

  /// Names archives that have what was deleted or moved to the trash.
  static func tell(ofArchives archives: [URL], on console: Console) {
    for archive in archives {
      console.messages.writeLine(
        "Another import of \(TerminalText(archive.path)) brings back what was in it."
      )
    }
  }

  /// Names the files, and says what to do about them; prints nothing if there are none.
  func tell(on console: Console) {
    guard !files.isEmpty else { return }
    let isOne = files.count == 1
    // No more are looked for.
    let lead = files.count < Remainder.maximumFileCount ? "" : "At least "
    console.messages.writeLine(
      isOne
        ? "Its file stays, and the next import of the folder brings it back:"
        : "\(lead)\(files.count) files stay, and the next import of their folders brings them back:"
    )
    for file in files.prefix(Self.namedCount) {
      console.messages.writeLine("  \(TerminalText(file.url.path))")
    }
    if files.count > Self.namedCount {
      console.messages.writeLine("  and \(files.count - Self.namedCount) more; --json names them")
    }
    let them = isOne ? "it" : "them"
    console.messages.writeLine(
      areKnown
        ? "To move \(them) to the trash of the desktop: snip export --markdown --delete-trashed FOLDER"
        : "To keep \(them) from coming back, delete \(them) too."
    )
  }
}
