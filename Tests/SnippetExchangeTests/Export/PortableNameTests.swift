import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// Names on disks that cannot hold them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PortableNameTests {
  @Test(arguments: [
    ("q?.md", "q%3F.md"), ("a/b:c/d.md", "a/b%3Ac/d.md"), ("100% sure?.md", "100%25 sure%3F.md"),
    ("<\"*|\\>.md", "%3C%22%2A%7C%5C%3E.md"), ("tab\t.md", "tab%09.md"), ("end.", "end%2E"),
    ("blank /x.md", "blank%20/x.md"), ("ü?.md", "ü%3F.md"),
  ])
  func `what a disk may refuse is a number in the name`(path: String, portable: String) {
    #expect(PortableName.path(path) == portable)
    #expect(PortableName.path(portable) == nil)
  }

  @Test(arguments: ["q.md", "100%.md", "a/b c/d.e.md", "ü 👍.md", "%3F.md"])
  func `a name that every disk holds is not changed`(path: String) {
    #expect(PortableName.path(path) == nil)
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: [
    Errno.noSuchFileOrDirectory, .invalidArgument, .illegalByteSequence, .notPermitted,
  ])
  func `a note whose name the disk refuses is written under another, and its edits come back`(
    refusal: Errno
  ) async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String,
        refusal = refusal.rawValue as Int32,
      ] in
      let source = URL(fileURLWithPath: folder + "/source")
      let stick = URL(fileURLWithPath: folder + "/stick")
      for place in [source, stick] {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      }
      for name in ["q?.md", "a.md", "z.md"] {
        try Data("text of \(name)".utf8).write(to: source.appendingPathComponent(name))
      }
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
      try await store.importFiles(at: [source])
      FileCalls.observer = { call in
        switch call {
        // As on exFAT.
        case .link: .notPermitted
        case .renameToNew: .invalidArgument
        case .open(let path, creates: true) where path.contains("?"): Errno(rawValue: refusal)
        default: nil
        }
      }

      let report = try await store.exportMarkdown(to: stick)
      let names = try FileManager.default.contentsOfDirectory(atPath: stick.path).sorted()
      let again = try await store.exportMarkdown(to: stick)
      FileCalls.observer = nil

      #expect(report[.exported] == 3 && report[.failed] == 0, "\(report)")
      #expect(names == ["a.md", "q%3F.md", "z.md"])
      #expect(again[.unchanged] == 3, "\(again)")
      let note = stick.appendingPathComponent("q%3F.md")
      #expect(
        try String(contentsOf: note, encoding: .utf8) == "---\ntitle: \"q?\"\n---\ntext of q?.md"
      )
      try Data("---\ntitle: \"q?\"\n---\nedited".utf8).write(to: note)
      let back = try await store.importFiles(at: [stick])
      #expect(back[.updated] == 1 && back[.unchanged] == 2 && back[.imported] == 0, "\(back)")
      let rows = try store.list().rows(in: 0..<9)
      #expect(rows.map(\.title).sorted() == ["a", "q?", "z"])
      let other = try SnippetStore(at: URL(fileURLWithPath: folder + "/new.sqlite"))
      try await other.importFiles(at: [stick])
      #expect(try other.list().rows(in: 0..<9).map(\.title).sorted() == ["a", "q?", "z"])
      for store in [store, other] { try await store.close() }
    }
  }
}
