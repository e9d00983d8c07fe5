import Foundation
import SnippetBase
import SnippetTestSupport
import SystemPackage
import Testing

/// The files that keep texts which the store could not save.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ClaimedFileTests {
  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: ["write", "sync", "close", "rename"])
  func `a text that the disk does not take is not kept, and leaves no file`(call: String) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, call = call as String] in
      let prefix = folder + "/text"
      FileCalls.observer = { made in
        let isMeant =
          switch made {
          case .write: call == "write"
          case .sync: call == "sync"
          case .close: call == "close"
          case .rename: call == "rename"
          default: false
          }
        return isMeant && made.path.hasPrefix(prefix) ? .readOnlyFileSystem : nil
      }

      let error = #expect(throws: FileError.self) {
        _ = try ClaimedFile.write(Data("typed".utf8), prefix: prefix)
      }
      FileCalls.observer = nil

      #expect(error?.code == .readOnlyFileSystem)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let kept = try ClaimedFile.write(Data("typed".utf8), prefix: prefix)
      #expect(try kept.content() == Data("typed".utf8))
    }
  }
}
