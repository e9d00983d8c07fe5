import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// Exports to disks that tell only at the end that they could not take the bytes.
///
/// Each runs in a process of its own, whose calls of the file system can be made to fail.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LateErrorTests {
  @Test(arguments: ["/texts/", "/manifest.jsonl"])
  func `an export has no manifest if a file could not be closed`(place: String) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, place = place as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      for text in ["Milk", "Eggs"] { try await store.save(SnippetDraft(.text(text))) }
      let out = folder + "/out"
      FailingCall.close.begin(.noSpace) { $0.hasPrefix(out + place) }

      let code = await errorCode { try await store.export(to: URL(fileURLWithPath: out)) }
      FailingCall.end()

      #expect(code == .diskFull)
      #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["texts"])
      try await store.close()
    }
  }

  @Test func `an export to a full disk leaves whole files, and says that they stay`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      for text in ["Milk", "Eggs", "Bread"] { try await store.save(SnippetDraft(.text(text))) }
      let (out, notes) = (folder + "/out", URL(fileURLWithPath: folder + "/notes"))
      FailingCall.write.begin(.noSpace) { $0.hasPrefix(out + "/texts/2") }
      let first = await #expect(throws: SnippetStoreError.self) {
        try await store.export(to: URL(fileURLWithPath: out))
      }
      let written = Lock<Set<String>>([])
      FailingCall.write.begin(.noSpace) { path in
        guard path.hasSuffix(".partial") else { return false }
        return written.withLock { paths in
          paths.insert(path)
          return paths.count > 1
        }
      }
      let second = await #expect(throws: SnippetStoreError.self) {
        try await store.exportMarkdown(to: notes)
      }
      FailingCall.end()

      let names = try FileManager.default.contentsOfDirectory(atPath: out + "/texts")
      #expect(names.count == 1 && names[0].hasPrefix("1 "), "\(names)")
      #expect(
        first?.recoverySuggestion == """
          1 snippet was written to \(out), and stays there. Free some space, and export into \
          another folder.
          """
      )
      #expect(
        second?.recoverySuggestion == """
          1 snippet was written to \(notes.path), and stays there. Free some space, and export \
          again: it goes on from there.
          """
      )
      let report = try await store.exportMarkdown(to: notes)
      #expect(report[.unchanged] == 1 && report[.exported] == 2, "\(report)")
      try await store.close()
    }
  }

  @Test func `a note stays as it was if the new one could not be closed`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      let id = try await store.save(SnippetDraft(.text("Milk"), title: "List")).id
      let out = URL(fileURLWithPath: folder + "/out")
      try await store.exportMarkdown(to: out)
      try await store.apply(SnippetEdit(text: "Milk, eggs"), to: id)
      FailingCall.close.begin(.inputOutput) { $0.hasSuffix(".partial") }

      let code = await errorCode { try await store.exportMarkdown(to: out) }
      FailingCall.end()

      #expect(code == .inputOutput)
      let note = out.appendingPathComponent("List.md")
      #expect(try String(contentsOf: note, encoding: .utf8) == "Milk")
      #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["List.md"])
      #expect(try await store.exportMarkdown(to: out)[.updated] == 1)
      #expect(try String(contentsOf: note, encoding: .utf8) == "Milk, eggs")
      try await store.close()
    }
  }

  @Test func `a note that cannot be read when it is replaced is not told as edited`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      let id = try await store.save(SnippetDraft(.text("Milk"), title: "List")).id
      let out = URL(fileURLWithPath: folder + "/out")
      try await store.exportMarkdown(to: out)
      try await store.apply(SnippetEdit(text: "Milk, eggs"), to: id)
      FileCalls.observer = { call in
        guard case .read(let path) = call, path.hasSuffix(".partial") else { return nil }
        return .ioError
      }

      let code = await errorCode { try await store.exportMarkdown(to: out) }
      FileCalls.observer = nil

      #expect(code == .inputOutput)
      let note = out.appendingPathComponent("List.md")
      #expect(try String(contentsOf: note, encoding: .utf8) == "Milk")
      #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["List.md"])
      try await store.close()
    }
  }

  @Test func `a file that cannot be read in the trash goes back, and is not told as edited`()
    async
  {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let (file, data) = (folder + "/notes/a.md", folder + "/data")
      try FileManager.default.createDirectory(
        atPath: folder + "/notes",
        withIntermediateDirectories: true
      )
      try Data("Milk".utf8).write(to: URL(fileURLWithPath: file))
      let sha256 = try OpenFile(file).contentHash {}
      let trash = DesktopTrash(dataFolder: data)
      let disposal = FileDisposal(place: .moveToTrash, trash: trash)
      FileCalls.observer = { call in
        guard case .read(let path) = call, path.hasPrefix(data) else { return nil }
        return .ioError
      }

      let error = #expect(throws: SnippetStoreError.self) {
        _ = try disposal.move("a.md", in: folder + "/notes", sha256)
      }
      FileCalls.observer = nil

      #expect(error?.reason.contains("Input/output error") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("Milk".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: data + "/Trash/info").isEmpty)
      #expect(try disposal.move("a.md", in: folder + "/notes", sha256))
    }
  }

  @Test func `a private folder whose note cannot be closed is not made`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      FailingCall.close.begin(.inputOutput)

      let made = try? PrivateFolder.make("\(folder)/note-", note: Data("note".utf8))
      FailingCall.end()

      #expect(made == nil)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.isEmpty)
    }
  }

  @Test func `over a network each file is on the disk before it counts`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let calls = Lock<[String]>([])
      FileCalls.observer = { call in
        switch call {
        case .sync: calls.withLock { $0.append("sync") }
        case .close: calls.withLock { $0.append("close") }
        case .link, .rename: calls.withLock { $0.append("rename") }
        default: break
        }
        return nil
      }
      for byFile in [false, true] {
        let vault = try VaultFolder(path: folder + "/vault", tellsFailuresByFile: byFile)
        _ = try vault.write("\(byFile).md", date: 0) { nil }
        let export = try ExportFolder(path: folder + "/\(byFile)", tellsFailuresByFile: byFile)
        try export.makeFile("a.txt", in: "texts").finish()
      }
      FileCalls.observer = nil

      #expect(
        calls.withLock { $0 } == [
          "close", "rename", "close",
          "sync", "close", "rename", "sync", "close",
        ]
      )
    }
  }

  // MARK: - Stores in the folder

  @Test func `a note is not written where SQLite would believe it`() async throws {
    let store = try TemporaryStore.open()
    let folder = TemporaryDirectory.current.url.path
    let vault = try VaultFolder(path: folder)

    let code = errorCode { try vault.write("store.sqlite-journal", date: 0) { nil } }

    #expect(code == .invalidInput)
    #expect(!FileStatus.exists(folder + "/store.sqlite-journal"))
    // Also in the place of a store that was taken away, and of one that was opened since.
    let other = try SnippetStore(at: TemporaryDirectory.file("other.md"))
    try FileManager.default.removeItem(at: TemporaryDirectory.file("other.md"))
    #expect(errorCode { try vault.write("other.md", date: 0) { nil } } == .invalidInput)
    #expect(!FileStatus.exists(folder + "/other.md"))
    try await other.close()
    let closed = try SnippetStore(at: TemporaryDirectory.file("closed.sqlite"))
    try await closed.close()
    #expect(errorCode { try vault.write("closed.sqlite-WAL", date: 0) { nil } } == .invalidInput)
    guard case .other = try vault.place(at: "store.sqlite") else {
      Issue.record("a store that is open is no file of the vault")
      return
    }
    #expect(try await store.save(SnippetDraft(.text("after"))).title == "after")
  }
}
