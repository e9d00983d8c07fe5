import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// The most bytes of a text to edit here.
  private static let editLimit: Int64 = 8 << 20
  /// The most bytes to copy; many terminals do not accept more.
  private static let copyLimit = 74_000

  // MARK: - Editing

  /// Lets the user edit a text in their own editor, and saves the result.
  func edit(_ row: SnippetRow) {
    guard row.kind == .text else {
      message = "Only texts can be edited. o opens it in another program."
      return
    }
    guard let programs = surroundings.programs else { return tellOfNoPrograms() }
    guard !isEditing else { return }
    guard row.byteCount <= Self.editLimit else {
      message = "Too long to be edited here (\(ByteCountText(row.byteCount)))."
      return
    }
    isEditing = true
    start(.change) { [self] in
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

  /// An edited text, and the file that holds it.
  private struct EditedText: Sendable {
    let row: SnippetRow
    let former: String
    let file: URL
    let folder: PrivateFolder
  }

  /// Saves an edited text if it has changed; if that fails, it stays in its file.
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
      message = status == 0 ? "Nothing was changed." : "The editor ended with status \(status)."
      return
    }
    guard status == 0 else {
      return keep(edited, because: "the editor ended with status \(status)")
    }
    let former = failureCount
    await editor.send(.edit(SnippetEdit(text: text)), on: edited.row).value
    list.refresh()
    guard failureCount == former else { return keep(edited, because: lastFailure) }
    edited.folder.remove()
    message = "Saved. u takes it back."
  }

  private func keep(_ edited: EditedText, because reason: String) {
    let reason = TerminalText(reason, lines: .folded).description
    let place = TerminalText(edited.file.path)
    // Until a key shows that the user has read it: a signal may come first.
    losses += ["your text was not saved: \(reason)", "It is in \(place)"]
    show(
      Pager(
        title: "Not saved",
        text: "Your text was not saved: \(reason)\n\nIt is in\n\(place)"
      )
    )
  }

  /// Reads a text, with its snippet at the same revision.
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
      // Otherwise another program has changed it in between.
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

  // MARK: - Opening and playing

  /// Opens a copy of a snippet in the desktop's program for it.
  func openOutside(_ row: SnippetRow) {
    guard let programs = surroundings.programs else { return tellOfNoPrograms() }
    message = "Opening \(title(of: row)) in another program …"
    start { [self] in
      try await programs.open(copies.copy(of: row, in: store))
    }
  }

  /// Plays a recording, or stops the one that is playing or about to.
  func play(_ row: SnippetRow) {
    let former = playing?.id ?? starting?.id
    stopPlaying()
    if let former, former == row.id || row.kind != .voice { return }
    guard row.kind == .voice else {
      message = "Only recordings can be played."
      return
    }
    guard let programs = surroundings.programs else { return tellOfNoPrograms() }
    let next = NextPlaying(id: row.id)
    starting = next
    start { [self] in
      defer { if starting === next { starting = nil } }
      let file = try await copies.copy(of: row, in: store)
      // The user may have cancelled it, or the browser may have ended.
      guard starting === next else { return }
      let player = try programs.play(file, mediaType: row.mediaType)
      playing = NowPlaying(id: row.id, title: title(of: row), player: player)
      // Not part of the screen's work: it may take an hour.
      Task { [weak self] in
        let status = await player.ended()
        self?.noteEnd(of: player, status)
      }
    }
  }

  /// Stops the recording that is playing or about to, if any.
  func stopPlaying() {
    starting = nil
    playing?.player.stop()
    playing = nil
  }

  private func noteEnd(of player: any Playing, _ status: Int32) {
    // Another one may be playing by now, and the one that was stopped did not fail.
    guard let playing, playing.player === player else { return }
    self.playing = nil
    if status != 0 { message = "The player ended with status \(status)." }
    changeHandler?()
  }

  private func tellOfNoPrograms() {
    message = "Other programs are started from a terminal only."
  }

  // MARK: - Copying

  /// Lets the terminal copy a text; for other kinds the title, or the number if there is none.
  func copy(_ row: SnippetRow) {
    guard row.kind == .text else {
      let text = row.title.isEmpty ? "\(row.id)" : row.title
      return copy(text, named: row.title.isEmpty ? "the number" : "the title")
    }
    guard row.byteCount <= Int64(Self.copyLimit) else {
      let size = ByteCountText(row.byteCount)
      message = "Too long for a terminal to copy (\(size)). `snip cat \(row.id)` writes it."
      return
    }
    start { [self] in
      copy(try await store.text(of: row.id), named: "the text")
    }
  }

  private func copy(_ text: String, named name: String) {
    let bytes = Data(text.utf8)
    guard bytes.count <= Self.copyLimit else {
      message = "Too long for a terminal to copy (\(ByteCountText(Int64(bytes.count))))."
      return
    }
    outgoing += "\u{1B}]52;c;\(bytes.base64EncodedString())\u{1B}\\".utf8
    message = "Copied \(name), if the terminal lets programs copy."
  }
}

/// A recording that is playing.
struct NowPlaying {
  let id: SnippetID
  /// Safe to print.
  let title: String
  let player: any Playing
}

/// A wish to play a recording.
final class NextPlaying {
  let id: SnippetID

  init(id: SnippetID) {
    self.id = id
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
