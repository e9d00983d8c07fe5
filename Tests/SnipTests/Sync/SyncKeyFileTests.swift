import Foundation
import SnipCore
import SnippetTestSupport
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SyncKeyFileTests {
  @Test func `what a killed process left of a key goes after a day`() throws {
    let folder = TemporaryDirectory.file("keys")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, age) in [("old", 90_000.0), ("new", 80_000)] {
      let file = folder.appendingPathComponent("1.key.partial-\(name)")
      try Data("secret".utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: file.path
      )
    }

    for _ in 1...2 {
      try SyncKeyFile(folder.appendingPathComponent("2.key")).write("secret", of: "two")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["1.key.partial-new", "2.key"])
    }
  }

  // A process of its own, which can give up the right to read everything.
  @Test func `a key that is missing or closed to the user cannot be read, as a store`() async throws
  {
    let folder = TemporaryDirectory.current.url
    let closed = folder.appendingPathComponent("closed.key")
    try Data("secret".utf8).write(to: closed)
    #expect(chmod(folder.path, 0o755) == 0 && chmod(closed.path, 0) == 0)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      for name in ["closed.key", "missing.key"] {
        let file = SyncKeyFile(URL(fileURLWithPath: "\(path)/\(name)"))
        let error = #expect(throws: SyncKeyError.self) { try file.read() }
        #expect(error?.status == .noStore, "\(name)")
      }
    }
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: FailingCall.allCases)
  func `a key that the disk does not take is no file, and leaves none`(call: FailingCall) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, call = call as FailingCall] in
      let path = folder + "/keys/1.key"
      let file = SyncKeyFile(URL(fileURLWithPath: path))
      call.begin(.noSpace) { $0.hasPrefix(path + ".partial") }

      let error = #expect(throws: SyncKeyError.self) { try file.write("secret", of: "one") }
      FailingCall.end()

      #expect(error?.message == "could not write the key to \(path): No space left on device")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/keys").isEmpty)
      try file.write("secret", of: "one")
      #expect(try file.read().hasSuffix("\nsecret\n"))
    }
  }
}
