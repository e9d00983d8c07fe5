import Foundation
import SnippetBase
import SnippetSync
import SnippetTestSupport
import SystemPackage
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FolderCarrierTests {
  private let folder = TemporaryDirectory.file("carrier")
  private let one = Data("one".utf8)

  private func carrier() throws -> FolderCarrier {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return FolderCarrier(folder)
  }

  private func put(_ text: String, _ path: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `an object is a file of its name, and nothing else is left`() async throws {
    let carrier = try carrier()
    try await carrier.write(one, as: "log/1f/00000001", isNew: true)
    try await carrier.write(one, as: "device/1f", isNew: false)
    try await carrier.write(one, as: "device/1f", isNew: false)
    await #expect(
      syncErrorCode { try await carrier.write(Data(), as: "device/1f", isNew: true) }
        == .alreadyExists
    )

    #expect(try names() == ["device", "device/1f", "log", "log/1f", "log/1f/00000001"])
  }

  @Test func `files of other programs are left out and left alone`() async throws {
    let carrier = try carrier()
    let strange = [
      ".stfolder/x", ".stignore", "log/1/.00000002.icloud", "log/1/00000001 (1)",
      "log/1/00000001.sync-conflict-20260101-120000-7654321", "log/1/~syncthing~00000003.tmp",
      "log/1/Icon\r", "Thumbs.db", "LOG/1",
    ]
    for path in strange + ["log/1/00000001"] { try put("strange", path) }

    #expect(try await carrier.list("").map(\.name) == ["log/1/00000001"])
    #expect(try await carrier.list("log/1/").map(\.name) == ["log/1/00000001"])
    let there = try names()
    #expect(strange.allSatisfy(there.contains))
  }

  @Test func `a link leads nowhere`() async throws {
    let carrier = try carrier()
    let outside = TemporaryDirectory.file("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    try one.write(to: outside.appendingPathComponent("1"))
    let manager = FileManager.default
    try manager.createSymbolicLink(
      at: folder.appendingPathComponent("log"),
      withDestinationURL: outside
    )
    try manager.createSymbolicLink(
      at: folder.appendingPathComponent("format"),
      withDestinationURL: outside.appendingPathComponent("1")
    )

    #expect(try await carrier.list("") == [])
    #expect(try await carrier.read("format") == nil)
    await #expect(syncErrorCode { try await carrier.read("log/1") } == .failed)
    await #expect(syncErrorCode { try await carrier.list("log/") } == .failed)
    await #expect(
      syncErrorCode { try await carrier.write(Data(), as: "log/2", isNew: false) } == .failed
    )
    // The link itself is replaced, not the file behind it.
    try await carrier.write(Data("two".utf8), as: "format", isNew: false)
    #expect(try Data(contentsOf: outside.appendingPathComponent("1")) == one)
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["1"])
  }

  @Test func `a folder or a pipe with the name of an object is none, and a folder is told`()
    async throws
  {
    let carrier = try carrier()
    try put("x", "log/1/1")
    #expect(mkfifo(folder.appendingPathComponent("keys").path, 0o600) == 0)

    await #expect(syncErrorCode { try await carrier.read("log/1") } == .failed)
    #expect(try await carrier.read("keys") == nil)
    #expect(try await carrier.list("").map(\.name) == ["log/1/1"])
    for isNew in [true, false] {
      await #expect(
        syncErrorCode { try await carrier.write(one, as: "log/1", isNew: isNew) } != nil
      )
    }
    #expect(try names() == ["keys", "log", "log/1", "log/1/1"], "nothing is left of the attempts")
  }

  @Test func `bytes that are cut off, or too many, are told as they are`() async throws {
    let carrier = try carrier()
    try put("on", "log/1/1")
    #expect(try await carrier.read("log/1/1") == Data("on".utf8))
    let large = folder.appendingPathComponent("log/1/2").path
    #expect(FileManager.default.createFile(atPath: large, contents: nil))
    #expect(truncate(large, 1 << 40) == 0)

    await #expect(syncErrorCode { try await carrier.read("log/1/2") } == .damaged)
  }

  // A process that was killed in the moment in which a file system without links holds the name.
  @Test func `an empty file gives way to a new object`() async throws {
    let carrier = try carrier()
    try put("", "log/1/1")

    try await carrier.write(one, as: "log/1/1", isNew: true)

    #expect(try await carrier.read("log/1/1") == one)
    #expect(try names() == ["log", "log/1", "log/1/1"])
  }

  @Test func `files that a killed process left behind go after a day`() async throws {
    let carrier = try carrier()
    for (name, age) in [("old", 90_000.0), ("new", 80_000)] {
      for path in ["log/1/.snippets-partial-\(name)", ".snippets-partial-\(name)"] {
        try put("part", path)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)],
          ofItemAtPath: folder.appendingPathComponent(path).path
        )
      }
    }

    #expect(try await carrier.list("log/") == [])
    #expect(
      try names() == [".snippets-partial-new", "log", "log/1", "log/1/.snippets-partial-new"]
    )
  }

  // A process of its own, in which every call to the system is seen.
  @Test func `an object is on the disk before it has its name`() async throws {
    _ = try carrier()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let carrier = FolderCarrier(URL(fileURLWithPath: path))
      let calls = Lock<[String]>([])
      FileCalls.observer = { call in
        calls.withLock { $0.append(Self.word(for: call)) }
        return nil
      }
      try await carrier.write(Data("one".utf8), as: "log/1", isNew: true)
      try await carrier.write(Data("two".utf8), as: "log/1", isNew: false)
      FileCalls.observer = nil
      #expect(
        calls.withLock(\.self) == [
          "open carrier", "open log", "make log", "sync carrier",
          "open part", "write part", "sync part", "close part",
          "link part to 1", "delete part", "sync log",
          "open carrier", "open log",
          "open part", "write part", "sync part", "close part",
          "rename part to 1", "sync log",
        ]
      )
    }
  }

  #if os(Linux)
  // A process of its own, in which every call to the system is seen.
  @Test func `objects that settle later wait for the disk once, and none is replaced before`()
    async throws
  {
    _ = try carrier()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let carrier = FolderCarrier(URL(fileURLWithPath: path))
      let calls = Lock<[String]>([])
      FileCalls.observer = { call in
        calls.withLock { $0.append(Self.word(for: call)) }
        return nil
      }
      for name in ["blob/1", "blob/2"] {
        #expect(try await !carrier.writeUnsettled(Data("one".utf8), as: name))
      }
      // The second one finds nothing to do.
      for _ in 0..<2 { try await carrier.settle() }
      #expect(try await !carrier.writeUnsettled(Data("two".utf8), as: "blob/1"))
      try await carrier.settle()
      FileCalls.observer = nil
      #expect(
        calls.withLock(\.self) == [
          "open carrier", "open blob", "make blob",
          "open part", "write part", "close part", "link part to 1", "delete part",
          "open blob",
          "open part", "write part", "close part", "link part to 2", "delete part",
          "sync carrier",
          "open carrier", "open blob",
          "open part", "write part", "sync part", "close part",
          "rename part to 1", "sync blob",
          "sync carrier",
        ]
      )
    }
  }

  // A process of its own, in which the disk can fail.
  @Test func `a disk that fails when objects settle is told, and they can be written again`()
    async throws
  {
    _ = try carrier()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let carrier = FolderCarrier(URL(fileURLWithPath: path))
      let bytes = Data("one".utf8)
      _ = try await carrier.writeUnsettled(bytes, as: "blob/1")
      FileCalls.observer = { call in
        guard case .sync = call else { return nil }
        return Errno.ioError
      }
      await #expect(syncErrorCode { try await carrier.settle() } == .unreachable)
      // It holds the disk no more.
      try await carrier.settle()
      FileCalls.observer = nil

      _ = try await carrier.writeUnsettled(bytes, as: "blob/1")
      try await carrier.settle()
      #expect(try await carrier.read("blob/1") == bytes)
      #expect(try await carrier.list("").map(\.name) == ["blob/1"])
    }
  }
  #endif

  // A process of its own, in which each call to the system can fail.
  @Test(arguments: [true, false])
  func `a write that fails leaves the old or the new bytes, and can be repeated`(
    _ isNew: Bool
  ) async throws {
    _ = try carrier()
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, isNew = isNew as Bool] in
      let bytes = Data("two".utf8)
      for failing in 0..<12 {
        let folder = URL(fileURLWithPath: "\(path)/\(failing)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let carrier = FolderCarrier(folder)
        if !isNew { try await carrier.write(Data("one".utf8), as: "log/1", isNew: true) }
        let number = Lock(0)
        FileCalls.observer = { _ in
          number.withLock { number in
            defer { number += 1 }
            return number == failing ? .noSpace : nil
          }
        }
        let code = await syncErrorCode {
          try await carrier.write(bytes, as: "log/1", isNew: isNew)
        }
        FileCalls.observer = nil
        let wasReached = number.withLock { $0 > failing }
        let present = try await carrier.read("log/1")
        if code != nil { #expect(wasReached && code == .failed, "call \(failing)") }
        if code == nil { #expect(present == bytes, "call \(failing)") }
        #expect(present == bytes || present == (isNew ? nil : Data("one".utf8)))

        try await carrier.write(bytes, as: "log/1", isNew: isNew)
        #expect(try await carrier.read("log/1") == bytes)
        #expect(try await carrier.list("").map(\.name) == ["log/1"])
      }
    }
  }

  private static func word(for call: FileCall) -> String {
    func name(_ path: String) -> String {
      let last = path.split(separator: "/").last.map(String.init) ?? ""
      return last.hasPrefix(".snippets-partial-") ? "part" : last
    }
    return switch call {
    case .open(let path, _): "open \(name(path))"
    case .write(let path, _, _): "write \(name(path))"
    case .sync(let path): "sync \(name(path))"
    case .close(let path): "close \(name(path))"
    case .makeFolder(let path): "make \(name(path))"
    case .delete(let path): "delete \(name(path))"
    case .link(let path, let other): "link \(name(path)) to \(name(other))"
    case .rename(let path, let other): "rename \(name(path)) to \(name(other))"
    default: "another call of \(name(call.path))"
    }
  }

  @Test func `a folder that is not there is not made`() async throws {
    let carrier = FolderCarrier(folder)
    do {
      try await carrier.write(one, as: "format", isNew: true)
      Issue.record("it was written")
    } catch {
      #expect(
        "\(error)" == """
          Could not write format: the folder \(folder.path) is not there. Mount its disk, or make \
          the folder.
          """
      )
      #expect(error.isRetryable)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a file in place of the folder is told`() async throws {
    try one.write(to: folder)

    await #expect(syncErrorCode { try await FolderCarrier(folder).list("") } == .failed)
  }

  // A process of its own, which can give up the right to read and write everything.
  @Test func `a folder that may not be read or written is told`() async throws {
    let carrier = try carrier()
    try await carrier.write(one, as: "log/1/1", isNew: true)
    // Others must get there.
    #expect(chmod(TemporaryDirectory.current.url.path, 0o755) == 0)
    #expect(chmod(folder.appendingPathComponent("log").path, 0o000) == 0)

    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let carrier = FolderCarrier(URL(fileURLWithPath: path))
      await #expect(syncErrorCode { try await carrier.list("") } == .accessDenied)
      await #expect(syncErrorCode { try await carrier.read("log/1/1") } == .accessDenied)
      let bytes = Data("x".utf8)
      // The owner may still write beside it.
      guard access(path, W_OK) != 0 else { return }
      await #expect(
        syncErrorCode { try await carrier.write(bytes, as: "format", isNew: true) }
          == .accessDenied
      )
    }
    #expect(chmod(folder.appendingPathComponent("log").path, 0o700) == 0)
  }

  @Test(
    arguments: [
      (Errno.noSpace, SyncError.Code.failed, "the disk of /d is full"),
      (.diskQuotaExceeded, .failed, "the disk of /d is full"),
      (.readOnlyFileSystem, .accessDenied, "the file system of /d is mounted to be read only"),
      (.permissionDenied, .accessDenied, "you may not do that with /d/log"),
      (.ioError, .unreachable, "the disk of /d does not answer: Input/output error"),
      (.staleNFSFileHandle, .unreachable, "the disk of /d does not answer: Stale file handle"),
      (.notDirectory, .failed, "/d/log is no folder"),
      (.tooManyOpenFiles, .failed, "/d/log: Too many open files"),
    ]
  )
  func `each error of the system is told`(
    _ code: Errno,
    _ expected: SyncError.Code,
    _ reason: String
  ) {
    let error = SyncError(FileError("/d/log", code), "write log/1", in: "/d")

    #expect(error.code == expected)
    #expect(error.reason == reason)
  }
}
