import Foundation
import SnippetBase
import SnippetStorage
import TerminalKit

/// Has the user edit texts in an editor of their own: there is one terminal to do it on.
@MainActor
final class TextEditing {
  /// Leaves the terminal to other programs for as long as some work takes; `nil` if there is none
  /// to leave.
  var terminalLender: ((@MainActor () async -> Void) async -> Void)?
  /// Called with a text to show over the whole screen.
  var pagerHandler: ((Pager) -> Void)?

  /// The most bytes of a text to edit here.
  private static let byteLimit: Int64 = 8 << 20

  private let store: SnippetStore
  private let changes: BrowseChanges
  private let work: BrowseWork
  private var isEditing = false

  init(in store: SnippetStore, _ changes: BrowseChanges, _ work: BrowseWork) {
    (self.store, self.changes, self.work) = (store, changes, work)
  }

  /// Has a text edited, and saves the result.
  func edit(_ row: SnippetRow, in programs: any OtherPrograms) {
    guard !isEditing else { return }
    guard row.byteCount <= Self.byteLimit else {
      work.message = "Too long to be edited here (\(ByteCountText(row.byteCount)))."
      return
    }
    isEditing = true
    work.start(.change) { [self] in
      defer { isEditing = false }
      let (seen, text) = try await stateOfText(row.id)
      let folder = try PrivateFolder("snip-edit-")
      let suffix = ContentType(mediaType: row.mediaType)?.fileExtension ?? "txt"
      let file = folder.url.appendingPathComponent("snippet-\(row.id).\(suffix)")
      let status: Int32
      do {
        try PrivateText.write(text, to: file)
        status = try await lendTerminal { () throws(OtherProgramError) in
          try programs.edit(file)
        }
      } catch {
        folder.remove()
        throw error
      }
      await save(EditedText(row: seen, former: text, file: file, folder: folder), status: status)
    }
  }

  /// A text that a user has edited, and its place.
  private struct EditedText: Sendable {
    let row: SnippetRow
    let former: String
    let file: URL
    let folder: PrivateFolder
  }

  /// Saves an edited text, if it is another; one that cannot be saved stays in its file.
  private func save(_ edited: EditedText, status: Int32) async {
    let text: String
    do throws(OtherProgramError) {
      text = try await OwnThreads.result { () throws(OtherProgramError) in
        try PrivateText.read(edited.file)
      }
    } catch {
      return keep(edited, because: "the edited text cannot be read: \(error.message)")
    }
    // Many editors end the last line, whether or not it was ended before.
    let isEnded = text.utf8.elementsEqual((edited.former + "\n").utf8)
    // Strings are equal if their characters are, even with different scalars; the user may have
    // changed just those.
    guard !text.utf8.elementsEqual(edited.former.utf8), !isEnded else {
      edited.folder.remove()
      work.message =
        status == 0 ? "Nothing was changed." : "The editor ended with status \(status)."
      return
    }
    guard status == 0 else {
      return keep(edited, because: "the editor ended with status \(status)")
    }
    if let reason = await changes.save(text, of: edited.row) {
      return keep(edited, because: reason)
    }
    edited.folder.remove()
    work.message = "Saved. u takes it back."
  }

  private func keep(_ edited: EditedText, because reason: String) {
    let reason = TerminalText(reason, lines: .folded).description
    let place = TerminalText(edited.file.path)
    // A signal may come before a key shows that it was read.
    work.warn("your text was not saved: \(reason)", "It is in \(place)")
    let text = "Your text was not saved: \(reason)\n\nIt is in\n\(place)"
    pagerHandler?(Pager(title: "Not saved", text: text))
  }

  /// A text, and the snippet as it was when the text was read.
  private func stateOfText(_ id: SnippetID) async throws -> (SnippetRow, String) {
    let store = store
    func row() async throws -> SnippetRow {
      guard let row = try await OwnThreads.result({ try store.row(id) }) else {
        throw OtherProgramError(message: "snippet \(id) is gone")
      }
      return row
    }
    while true {
      let (former, text, row) = (try await row(), try await store.text(of: id), try await row())
      // Otherwise another change came between.
      if former.revision == row.revision { return (row, text) }
    }
  }

  private func lendTerminal<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Result
  ) async throws -> Result {
    var result: Swift.Result<Result, any Error>?
    let body: @MainActor () async -> Void = {
      do {
        result = .success(try await OwnThreads.result { try work() })
      } catch {
        result = .failure(error)
      }
    }
    if let terminalLender { await terminalLender(body) } else { await body() }
    guard let result else { throw CancellationError() }
    return try result.get()
  }
}

/// A text in a file that only its owner can read.
private enum PrivateText {
  /// The user may have opened another file in the editor by mistake.
  private static let byteLimit = 64 << 20

  static func write(_ text: String, to file: URL) throws(OtherProgramError) {
    let isWritten = FileManager.default.createFile(
      atPath: file.path,
      contents: Data(text.utf8),
      attributes: [.posixPermissions: 0o600]
    )
    guard isWritten else {
      throw OtherProgramError(
        message: "could not write \(file.path): \(String(cString: strerror(errno)))"
      )
    }
  }

  static func read(_ file: URL) throws(OtherProgramError) -> String {
    let bytes: Data
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      bytes = try handle.read(upToCount: byteLimit + 1) ?? Data()
    } catch {
      throw OtherProgramError(message: error.localizedDescription)
    }
    guard bytes.count <= byteLimit else { throw OtherProgramError(message: "it is too large") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw OtherProgramError(message: "it is not UTF-8")
    }
    return text
  }
}
