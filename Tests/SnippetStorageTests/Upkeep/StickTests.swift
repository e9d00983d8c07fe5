import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

/// Disks for carrying: without second names, without memory that programs share.
///
/// Each test runs in a process of its own, whose calls of the file system can be made to fail.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StickTests {
  @Test(arguments: [Errno.notPermitted, .notSupported, .noFunction], [false, true])
  func `a backup gets its name on a disk without second names`(
    refusal: Errno,
    takesRename: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String,
        refusal = refusal.rawValue as Int32,
        takesRename = takesRename as Bool,
      ] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      try await store.save(SnippetDraft(.text("Milk")))
      let backup = URL(fileURLWithPath: folder + "/backup.sqlite")
      FileCalls.observer = { call in
        switch call {
        case .link: Errno(rawValue: refusal)
        case .renameToNew: takesRename ? nil : .invalidArgument
        default: nil
        }
      }

      let report = try await store.backUp(to: backup)
      let again = await errorCode { try await store.backUp(to: backup) }
      let meanwhile = await errorCode {
        let other = URL(fileURLWithPath: folder + "/other.sqlite")
        try await store.backUp(to: other) { _ in try? Data("mine".utf8).write(to: other) }
      }
      FileCalls.observer = nil

      #expect(report.isSound)
      #expect(again == .alreadyExists && meanwhile == .alreadyExists)
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/other.sqlite")).count == 4)
      let copy = try SnippetStore(at: backup)
      #expect(try copy.list().count == 1)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0.contains("partial") } == [])
      for store in [store, copy] { try await store.close() }
    }
  }

  @Test func `an empty file is not left behind where the last renaming fails`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      FileCalls.observer = { call in
        switch call {
        case .link: .notPermitted
        case .renameToNew: .invalidArgument
        case .rename: .ioError
        default: nil
        }
      }

      let code = await errorCode {
        try await store.backUp(to: URL(fileURLWithPath: folder + "/backup.sqlite"))
      }
      FileCalls.observer = nil

      #expect(code == .inputOutput)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0.hasPrefix("backup") } == [])
      try await store.close()
    }
  }

  @Test func `what another program writes into the empty file stays, if renaming fails`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      let backup = URL(fileURLWithPath: folder + "/backup.sqlite")
      FileCalls.observer = { call in
        switch call {
        case .link: return .notPermitted
        case .renameToNew: return .invalidArgument
        case .rename:
          try? Data("theirs".utf8).write(to: backup)
          return .ioError
        default: return nil
        }
      }

      let code = await errorCode { try await store.backUp(to: backup) }
      FileCalls.observer = nil

      #expect(code == .inputOutput)
      #expect(try Data(contentsOf: backup) == Data("theirs".utf8))
      try await store.close()
    }
  }

  @Test func `a folder whose disk cannot synchronize names is no failure`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      FileCalls.observer = { call in
        guard case .sync(folder) = call else { return nil }
        return .invalidArgument
      }

      let report = try await store.backUp(to: URL(fileURLWithPath: folder + "/backup.sqlite"))
      FileCalls.observer = nil

      #expect(report.isSound)
      try await store.close()
    }
  }

  @Test(arguments: [ENODEV, EPERM])
  func `no store is made where programs cannot share memory`(refusal: Int32) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, refusal = refusal as Int32] in
      FileCalls.observer = { call in
        guard case .map = call else { return nil }
        return Errno(rawValue: refusal)
      }

      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      }
      FileCalls.observer = nil

      #expect(error?.code == .cannotCreate)
      #expect(error?.reason.contains("no memory that programs share") == true)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == [])
    }
  }
}
