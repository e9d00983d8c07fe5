import SnippetBase
import Testing

/// The parts of a path.
struct PathTests {
  @Test(arguments: [
    ("", "", ""), ("/", "/", "/"), ("//", "/", "/"), ("a", "a", ""), ("a/", "a", ""),
    ("/a", "a", "/"), ("/a/", "a", "/"), ("a/b", "b", "a"), ("a//b", "b", "a"), ("a/b//", "b", "a"),
    ("/a/b.c", "b.c", "/a"), ("a/..", "..", "a"), (".", ".", ""), ("é/한.png", "한.png", "é"),
  ])
  func `a path ends with a name, and begins with its folder`(
    path: String,
    name: String,
    folder: String
  ) {
    #expect(path.fileName == name)
    #expect(path.folderPath == folder)
  }

  @Test func `the names in a path stand between its slashes, whatever marks follow them`() {
    #expect("/a//b.c/".pathNames == ["a", "b.c"])
    #expect("a/\u{301}b/.\u{301}c".pathNames == ["a", "\u{301}b", ".\u{301}c"])
    #expect("\u{600}/a".pathNames.count == 2)
    #expect("".pathNames.isEmpty && "//".pathNames.isEmpty)
  }

  @Test(arguments: ["a//é", "https://é", "/a//é", "x/a//é.tar.gz"])
  func `two slashes end nothing`(path: String) {
    #expect(path.fileName == path.split(separator: "/").last.map(String.init))
    #expect("\(path.folderPath)//\(path.fileName)" == path)
    #expect(path.withoutFileExtension.hasPrefix(path.folderPath))
  }

  @Test func `an extension follows the last full stop of a name that does not begin with it`() {
    #expect("x/a//é.tar.gz".fileExtension == "gz")
    #expect("x/a//é.tar.gz".withoutFileExtension == "x/a//é.tar")
    for plain in ["", "a", ".a", "a.", "..", "..a", "b.c/a", "b.c/.a", "/"] {
      #expect(plain.fileExtension.isEmpty && plain.withoutFileExtension == plain)
    }
  }
}
