import Foundation
import SnipCore
import SnippetTestSupport
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

  @Test func `no other place is advised where the reader of a pipe has ended`() {
    #expect(OutputFileError(path: "/some/pipe", number: EPIPE).hint == nil)
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: FailingCall.allCases)
  func `a file whose bytes the disk does not take replaces nothing`(call: FailingCall) async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String, call = call as FailingCall] in
      let path = folder + "/copy"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      call.begin(.noSpace) { $0.hasPrefix(folder + "/.snip-") }

      let error = #expect(throws: OutputFileError.self) {
        let file = try ReplacementFile(path: path)
        try file.write(Data("new".utf8))
        try file.publish()
      }
      FailingCall.end()

      #expect(error?.status == .diskFailure)
      #expect(error?.path == path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy"])
    }
  }

  // A process of its own: the files of other tests would go too.
  @Test func `a program that ends at once leaves what was complete, and nothing unfinished`()
    async
  {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let complete = try ReplacementFile(path: folder + "/complete")
      try complete.publish()
      let unfinished = try ReplacementFile(path: folder + "/copy")
      try unfinished.write(Data("new".utf8))

      ReplacementFile.removeUnfinished()

      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["complete"])
      withExtendedLifetime(unfinished) {}
    }
  }

  @Test(.enabled(if: getuid() == 0))
  func `the file of another user stays that user's`() throws {
    let path = TemporaryDirectory.current.url.path + "/copy"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    try #require(chown(path, 1234, 2345) == 0 && chmod(path, 0o640) == 0)

    let file = try ReplacementFile(path: path)
    try file.write(Data("new".utf8))
    try file.publish()

    var status = stat()
    stat(path, &status)
    #expect(status.st_uid == 1234 && status.st_gid == 2345 && status.st_mode & 0o777 == 0o640)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("new".utf8))
  }

  @Test func `the next file takes what a killed process left with it, but not what one holds`()
    throws
  {
    let folder = TemporaryDirectory.current.url
    let names = [".snip-0123.partial", ".snip-notes.partial", "copy.partial-abcdef"]
    for name in names { try Data("half".utf8).write(to: folder.appendingPathComponent(name)) }
    let held = try ReplacementFile(path: folder.path + "/held")
    try held.write(Data("held".utf8))

    let file = try ReplacementFile(path: folder.path + "/copy")
    try file.write(Data("new".utf8))
    try file.publish()
    try held.publish()

    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == [names[1], "copy", names[2], "held"])
    #expect(try Data(contentsOf: folder.appendingPathComponent("held")) == Data("held".utf8))
  }
}
