import SnippetBase
import SystemPackage
import Testing

@testable import SnippetExchange

/// Names on disks with and without case.
struct WrittenNamesTests {
  /// A disk in memory.
  private final class Disk: Sendable {
    private let ignoresCase: Bool
    private let paths: Lock<[String]>
    let listCount = Lock(0)

    init(_ paths: String..., ignoresCase: Bool) {
      (self.paths, self.ignoresCase) = (Lock(paths), ignoresCase)
    }

    func add(_ path: String) {
      paths.withLock { $0.append(path) }
    }

    var names: WrittenNames {
      WrittenNames(
        below: "/disk/",
        exists: { path in
          let all = self.paths.withLock(\.self)
            .flatMap { [$0, ($0.split(separator: "/").dropLast()).joined(separator: "/")] }
          return all.contains { other in
            let other = "/disk/" + other
            return self.ignoresCase ? path.lowercased() == other.lowercased() : path == other
          }
        },
        list: { folder in
          self.listCount.withLock { $0 += 1 }
          return self.paths.withLock(\.self).map { "/disk/" + $0 }
            .filter { $0.lowercased().hasPrefix(folder.lowercased()) }
            .map { String($0.dropFirst(folder.count).prefix { $0 != "/" }) }
        }
      )
    }
  }

  @Test func `a file whose name was changed in case is not there under its former name`() {
    let names = Disk("Note.md", "other.md", "Folder/a.md", "b/TEXT.MD", ignoresCase: true).names

    #expect(names.has("Note.md") && names.has("other.md"))
    #expect(!names.has("note.md") && !names.has("NOTE.md"))
    #expect(names.has("Folder/a.md") && !names.has("folder/a.md") && !names.has("Folder/A.md"))
    // Every letter is another one.
    #expect(names.has("b/TEXT.MD") && !names.has("b/text.md"))
  }

  @Test func `where case matters, a file is what it is found by, and no folder is listed`() {
    let disk = Disk("note.md", "folder/a.md", "1", ignoresCase: false)
    let names = disk.names

    #expect(names.has("note.md") && names.has("folder/a.md") && names.has("1"))
    #expect(disk.listCount.withLock(\.self) == 0)
  }

  @Test func `two files that differ in case are two where case matters`() {
    let names = Disk("note.md", "NOTE.MD", ignoresCase: false).names

    #expect(names.has("note.md") && names.has("NOTE.MD"))
  }

  @Test func `a folder is listed once, and again for a file that was made since`() {
    let disk = Disk("a.md", "b.md", ignoresCase: true)
    let names = disk.names
    #expect(names.has("a.md") && names.has("b.md"))
    #expect(disk.listCount.withLock(\.self) == 1)

    disk.add("c.md")

    #expect(names.has("c.md"))
    #expect(disk.listCount.withLock(\.self) == 2)
  }

  @Test func `a folder that cannot be listed hides no file`() {
    let names = WrittenNames(below: "/disk/", exists: { _ in true }) { path in
      throw FileError(path, .permissionDenied)
    }

    #expect(names.has("note.md"))
  }
}
