import Foundation
import SnippetBase
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetStorage

/// Copies that a killed process left, and those of a running one.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UnfinishedCopyTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let backup = TemporaryDirectory.file("backup.sqlite")

  /// What removes leftovers in the folder of the store.
  enum Removal: CaseIterable {
    case backup, backupElsewhere, garbage, purge, quickPurge, restore
  }

  @Test(arguments: Removal.allCases)
  func `what a killed process left beside a store goes with the next of these`(
    removal: Removal
  ) async throws {
    let store = try TemporaryStore.open()
    try await store.backUp(to: backup)
    for stem in ["store.sqlite", "store.sqlite-stream", "other"] { try leaveCopy(beside: stem) }
    #expect(try names().count == 2 + 2 + 3 * 4)

    switch removal {
    case .backup: try await store.backUp(to: backup, replacesExisting: true)
    case .backupElsewhere:
      let folder = TemporaryDirectory.file("folder")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try await store.backUp(to: folder.appendingPathComponent("backup.sqlite"))
    case .garbage:
      let report = try await store.collectGarbage()
      #expect(report.copyCount == 3 && !report.isClean)
      #expect(try await store.collectGarbage().isClean)
    case .purge: #expect(try await store.purge().isComplete)
    case .quickPurge: #expect(try await store.purge(rewritesFile: false).remainingCopies == [])
    case .restore: try await SnippetStore.restore(from: backup, to: file)
    }

    #expect(try names().filter { $0.contains("partial") } == [])
  }

  // A container cannot tell from a number whether a process of another one runs. A lock it sees.
  @Test(arguments: Removal.allCases)
  func `a copy that is in use stays, and a purge is not complete`(removal: Removal) async throws {
    let store = try TemporaryStore.open()
    try await store.backUp(to: backup)
    let copy = try UnfinishedCopy(beside: file.path)
    let url = URL(fileURLWithPath: copy.path)

    switch removal {
    case .backup: try await store.backUp(to: backup, replacesExisting: true)
    case .backupElsewhere:
      let folder = TemporaryDirectory.file("folder")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try await store.backUp(to: folder.appendingPathComponent("backup.sqlite"))
    case .garbage: #expect(try await store.collectGarbage().isClean)
    case .purge, .quickPurge:
      let report = try await store.purge(rewritesFile: removal == .purge)
      #expect(!report.isComplete && report.remainingLogByteCount == 0)
      #expect(report.remainingCopies.map(\.path) == [url.path])
    case .restore: try await SnippetStore.restore(from: backup, to: file)
    }

    #expect(try names().filter { $0.contains("partial") }.count == 2)
    copy.remove()
    #expect(try await store.purge().isComplete)
    #expect(try names().filter { $0.contains("partial") } == [])
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test func `a folder that cannot be listed stops neither a purge nor a collection`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      let id = try await store.save(SnippetDraft(.text("Milk"))).id
      try await store.moveToTrash([id])
      FileCalls.observer = { call in
        guard case .open(folder, creates: false) = call else { return nil }
        return .permissionDenied
      }

      let collected = try await store.collectGarbage()
      let purged = try await store.purge()
      FileCalls.observer = nil

      #expect(collected.unlistedFolder?.path == folder)
      #expect(purged.unlistedFolder?.path == folder && purged.deletedCount == 1)
      #expect(purged.rewroteFile && !purged.isComplete)
      #expect(try await store.purge().isComplete)
      try await store.close()
    }
  }

  // Who can write into the folder of a backup could do so.
  @Test(.enabled(if: getuid() == 0))
  func `a backup by root gives away no file that a link in place of the copy leads to`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      let backup = URL(fileURLWithPath: folder + "/backup.sqlite")
      try await store.backUp(to: backup)
      #expect(chown(backup.path, 1234, 2345) == 0)
      let other = folder + "/other"
      try Data("other".utf8).write(to: URL(fileURLWithPath: other))
      FileCalls.observer = { call in
        guard case .open(let path, creates: false) = call, path.contains("/backup.sqlite.partial-"),
          !path.contains("-lock-")
        else { return nil }
        rename(path, folder + "/away")
        symlink(other, path)
        return nil
      }

      let code = await errorCode { try await store.backUp(to: backup, replacesExisting: true) }
      FileCalls.observer = nil

      #expect(code != nil)
      var status = stat()
      #expect(stat(folder + "/away", &status) == 0)
      #expect(stat(other, &status) == 0 && status.st_uid == 0)
      try await store.close()
    }
  }

  @Test func `a file of another program is never taken for a copy`() async throws {
    let store = try TemporaryStore.open()
    let names = [
      "a.partial-abcdef", ".partial-lock-abcdef", "a.partial-lock-abcde", "a.partial-lock-abc.de",
      "a.partial-lock-abcdef-wal", "a.partial-lock-abcd\u{E9}",
    ]
    for name in names { try Data().write(to: TemporaryDirectory.file(name)) }
    // As a mark is named, but with content, a folder, and a link.
    try Data("content".utf8).write(to: TemporaryDirectory.file("b.partial-lock-abcdef"))
    for name in ["c.partial-lock-abcdef", "target"] {
      try FileManager.default.createDirectory(
        at: TemporaryDirectory.file(name),
        withIntermediateDirectories: false
      )
    }
    try FileManager.default.createSymbolicLink(
      at: TemporaryDirectory.file("d.partial-lock-abcdef"),
      withDestinationURL: TemporaryDirectory.file("target")
    )
    let before = try self.names()

    #expect(try await store.purge().isComplete)

    #expect(try self.names() == before)
  }

  @Test func `two copies of one name do not disturb each other`() throws {
    let first = try UnfinishedCopy(beside: file.path)
    let second = try UnfinishedCopy(beside: file.path)
    try Data("first".utf8).write(to: URL(fileURLWithPath: first.path))

    second.remove()
    let found = UnfinishedCopy.removeLeftovers(beside: file.path)

    #expect(found.remaining == [first.path] && found.removed == [])
    #expect(try Data(contentsOf: URL(fileURLWithPath: first.path)) == Data("first".utf8))
    first.remove()
    #expect(try names() == [])
  }

  /// Leaves what a process leaves that is killed while it makes a copy.
  private func leaveCopy(beside name: String) throws {
    // Released, and so no longer locked, without being removed.
    let copy = try UnfinishedCopy(beside: TemporaryDirectory.file(name).path)
    for suffix in ["", "-journal", "-wal"] {
      try Data("half".utf8).write(to: URL(fileURLWithPath: copy.path + suffix))
    }
  }

  private func names() throws -> [String] {
    let folder = TemporaryDirectory.current.url.path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
