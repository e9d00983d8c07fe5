import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

/// Copies of snippets in files, for programs that show or play them.
///
/// Each browser has one folder for them, and removes it at its end. A program started within the
/// last minute may still need its copy, and a browser that was killed leaves its folder: the next
/// browser removes such folders. Changes that a program makes to a copy are not read back.
@MainActor
final class PrivateCopies {
  /// The time that a program may take to read its file.
  private static let grace = Duration.seconds(graceSeconds)
  private nonisolated static let graceSeconds = 60.0
  private nonisolated static let prefix = "snip-browse-"

  private var folder: PrivateFolder?
  private var last: WorkClock.Instant?
  private var copies: [String: URL] = [:]
  /// The copies being made.
  private var copying: [String: Task<URL, any Error>] = [:]

  /// Copies a snippet into a file, under its number and title.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - store: The store that it is in.
  /// - Returns: The file; an existing copy, or one being made, is shared as long as the snippet
  ///   does not change.
  /// - Throws: ``OtherProgramError``, or ``SnippetStoreError`` when the snippet cannot be read or
  ///   written.
  func copy(of row: SnippetRow, in store: SnippetStore) async throws -> URL {
    last = WorkClock.now
    let name = "\(row.id)-\(row.revision)"
    if let copy = copies[name], FileManager.default.fileExists(atPath: copy.path) { return copy }
    let task = copying[name] ?? Task { try await makeCopy(of: row.id, named: name, in: store) }
    copying[name] = task
    defer { copying[name] = nil }
    let copy = try await task.value
    copies[name] = copy
    return copy
  }

  private func makeCopy(
    of id: SnippetID,
    named name: String,
    in store: SnippetStore
  ) async throws -> URL {
    let folder = try folder ?? Self.makeFolder()
    self.folder = folder
    let found = Lock<Result<URL, SnippetStoreError>?>(nil)
    let place = URL(fileURLWithPath: "\(folder.path)/\(name)", isDirectory: true)
    try? FileManager.default.removeItem(at: place)
    try await store.export([id], to: place) { event in
      if let error = event.error {
        found.withLock { $0 = .failure(error) }
      } else if let file = event.file {
        found.withLock { $0 = .success(file) }
      }
    }
    guard let copy = try found.withLock(\.self)?.get() else {
      throw OtherProgramError(message: "snippet \(id) is gone")
    }
    return copy
  }

  private static func makeFolder() throws(OtherProgramError) -> PrivateFolder {
    let place = try TemporaryPlace.path()
    do throws(FileError) {
      return try PrivateFolder.make("\(place)/\(prefix)")
    } catch {
      throw OtherProgramError(
        message: "could not make a folder: \(TerminalText(error.reason))",
        hint: "Set TMPDIR to a folder that can be written to."
      )
    }
  }

  /// Removes the copies, unless a program may still need one.
  func end() {
    if let last, WorkClock.now - last > Self.grace { remove() }
  }

  /// Removes the copies, which no program needs any more.
  func remove() {
    folder?.remove()
    (folder, last, copies) = (nil, nil, [:])
  }

  /// Removes the folders of browsers that have ended a while ago.
  nonisolated static func removeLeftovers(
    in named: String = FileManager.default.temporaryDirectory.path,
    at now: Date = Date()
  ) {
    guard let place = try? TemporaryPlace.path(of: named) else { return }
    for folder in PrivateFolder.leftovers("\(place)/\(prefix)")
    where folder.age(at: now) > graceSeconds { folder.remove() }
  }
}
