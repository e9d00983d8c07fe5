import Foundation
import SnipCore
import SnippetBase
import SnippetTestSupport
import SystemPackage
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReplacementFileTests {
  @Test(
    arguments: [
      (ENOENT, "Check the path."), (EISDIR, "Add the name of a file to it."),
      (EACCES, "Check the permissions of its folder."), (EROFS, "Choose another place."),
      (ENOSPC, "Free some space, and try again."), (ENAMETOOLONG, "Give it a shorter name."),
    ] as [(Int32, String)]
  )
  func `a failure has advice that fits it`(number: Int32, advice: String) {
    #expect(OutputFileError(path: "/some/file", number: number).hint == advice)
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: ["write", "sync", "close", "rename"])
  func `a file whose bytes the disk does not take replaces nothing`(call: String) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, call = call as String] in
      let path = folder + "/copy"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
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

      let error = #expect(throws: OutputFileError.self) {
        let file = try ReplacementFile(path: path)
        try file.write(Data("new".utf8))
        try file.publish()
      }
      FileCalls.observer = nil

      #expect(error?.status == .diskFailure)
      #expect(error?.path == path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy"])
    }
  }
}
