import Foundation
import SnipCore
import SnippetBase
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TypedPathTests {
  @Test func `the folder around a folder behind a link is that of its target`() throws {
    let folder = TemporaryDirectory.file("here")
    for name in ["here", "there/inner"] {
      try FileManager.default.createDirectory(
        at: TemporaryDirectory.file(name),
        withIntermediateDirectories: true
      )
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link",
      withDestinationPath: "../there/inner"
    )
    let root = FileSystem.realPath(of: TemporaryDirectory.current.url.path)

    for (path, found) in [
      ("link/../x", "there/x"), ("./link/..", "there"), ("../x", "x"),
      ("link/../../here/x", "here/x"), ("link/../inner/new/x", "there/inner/new/x"),
    ] {
      #expect(TypedPath.followed(path, from: folder) == "\(root)/\(found)", "\(path)")
      let absolute = "\(folder.path)/\(path)"
      #expect(TypedPath.followed(absolute, from: nil) == "\(root)/\(found)", "\(absolute)")
    }
  }

  @Test func `other paths stay as they are, and the root is around itself`() {
    let folder = TemporaryDirectory.current.url

    for path in ["", "x", "./x", "x..", "..x/y", "a//b/", "link/x"] {
      #expect(TypedPath.followed(path, from: folder) == path)
    }
    #expect(TypedPath.followed("no/../x", from: folder) == "\(folder.path)/no/../x")
    #expect(TypedPath.followed("/..", from: folder) == "/")
    #expect(TypedPath.followed("/../x", from: folder) == "/x")
  }
}
