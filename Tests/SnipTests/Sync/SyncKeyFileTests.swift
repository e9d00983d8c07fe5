import Foundation
import SnippetBase
import SnippetTestSupport
import SystemPackage
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SyncKeyFileTests {
  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: ["write", "sync", "close", "rename"])
  func `a key that the disk does not take is no file, and leaves none`(call: String) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, call = call as String] in
      let path = folder + "/keys/1.key"
      let file = SyncKeyFile(URL(fileURLWithPath: path))
      FileCalls.observer = { made in
        let isMeant =
          switch made {
          case .write: call == "write"
          case .sync: call == "sync"
          case .close: call == "close"
          case .rename: call == "rename"
          default: false
          }
        return isMeant && made.path.hasPrefix(path + ".partial") ? .noSpace : nil
      }

      let error = #expect(throws: SyncKeyError.self) { try file.write("secret", of: "one") }
      FileCalls.observer = nil

      #expect(error?.message == "could not write the key to \(path): No space left on device")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/keys").isEmpty)
      try file.write("secret", of: "one")
      #expect(try file.read().hasSuffix("\nsecret\n"))
    }
  }
}
