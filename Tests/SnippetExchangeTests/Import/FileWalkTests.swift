import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Folders as they are found in the wild.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FileWalkTests {
  let store: SnippetStore
  let tree: FileTree
  /// The reasons why something was left out, by its path.
  private let leftOut = Lock<[String: String?]>([:])

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("tree")
  }

  @Test func `links that are found are not followed`() async throws {
    let outside = try FileTree("outside")
    try outside.add("secret.txt", "secret")
    try tree.add("folder/a.txt", "a")
    try tree.addLink("folder/circle", to: "..")
    try tree.addLink("itself", to: "itself")
    try tree.addLink("out", to: outside.url.path)
    try tree.addLink("out.txt", to: outside.path("secret.txt"))
    try tree.addLink("broken", to: "nowhere")

    #expect(try await importedPaths([tree.url]) == [tree.path("folder/a.txt")])
    let links = ["folder/circle", "itself", "out", "out.txt", "broken"]
    #expect(
      leftOut.withLock { $0 }
        == Dictionary(uniqueKeysWithValues: links.map { (tree.path($0), "it is a link") })
    )
  }

  @Test func `links are followed when asked for, to what is there and not found otherwise`()
    async throws
  {
    let outside = try FileTree("outside")
    try outside.add("secret.txt", "secret")
    try tree.add(".annex/objects/k1", "one")
    try tree.add(".annex/objects/k2", "two")
    try tree.add("plain.txt", "plain")
    try tree.addLink("1.txt", to: ".annex/objects/k1")
    try tree.addLink("1 again.txt", to: ".annex/objects/k1")
    try tree.addLink("all", to: ".annex/objects")
    try tree.addLink(".annex/objects/circle", to: "..")
    try tree.addLink("circle", to: ".")
    try tree.addLink("out.txt", to: outside.path("secret.txt"))
    try tree.addLink("plain too.txt", to: "plain.txt")
    try tree.addLink("broken", to: "nowhere")
    try tree.addLink("itself", to: "itself")

    let paths = try await importedPaths([tree.url], .init(followsLinks: true))

    #expect(
      paths.map { $0.dropFirst(tree.url.path.count + 1) }.sorted()
        == ["1 again.txt", "all/k2", "plain.txt"]
    )
    let again = try await store.importFiles(at: [tree.url], options: .init(followsLinks: true))
    #expect(again[.unchanged] == 3 && again[.imported] == 0, "\(again)")
    let back = try await store.exportMarkdown(to: tree.url)
    #expect(back[.unchanged] == 3 && back[.conflict] == 0, "\(back)")
  }

  @Test func `links that are given are followed`() async throws {
    let outside = try FileTree("outside")
    try outside.add("a.txt", "a")
    try outside.add("b.txt", "b")
    let folder = try tree.addLink("folder", to: outside.url.path)
    let file = try tree.addLink("file", to: outside.path("a.txt"))
    let broken = try tree.addLink("broken", to: "nowhere")
    let circle = try tree.addLink("circle", to: "circle")
    let failures = Lock<[String]>([])

    let report = try await store.importFiles(at: [folder, file, broken, circle]) { event in
      if event.outcome == .failed { failures.withLock { $0.append(event.file.path) } }
    }

    #expect(report[.imported] == 2)
    #expect(report[.duplicate] == 1)
    #expect(failures.withLock { $0 } == [broken.path, circle.path])
  }

  @Test func `pipes, sockets and devices that are found are skipped`() async throws {
    try tree.addPipe("pipe")
    try tree.add("a.txt", "a")

    #expect(try await importedPaths([tree.url]) == [tree.path("a.txt")])
    #expect(leftOut.withLock { $0 } == [tree.path("pipe"): "it is a pipe"])
  }

  @Test func `odd names are taken as they are`() async throws {
    let names = [
      "line\nbreak.txt", "  blanks  .txt", "100%.txt", "what?#.txt", "back\\slash.txt", "-rf.txt",
      "日本語.txt", "👩‍👩‍👧.txt", "e\u{301}.txt", "\u{E9}.txt", "escape\u{1B}[31m.txt", "quote'\".txt",
      String(repeating: "n", count: 251) + ".txt",
    ]
    for (number, name) in names.enumerated() { try tree.add(name, "text \(number)") }

    let paths = try await importedPaths([tree.url])

    #expect(Set(paths.map { Array($0.utf8) }) == Set(names.map { Array(tree.path($0).utf8) }))
    #expect(paths.count == names.count)
    let titles = try store.list().rows(in: 0..<99).map(\.title)
    #expect(titles.contains("line break"))
    #expect(titles.contains("blanks"))
    #expect(titles.contains("100%"))
  }

  // The name cannot be put into a URL; the file is reported rather than mistaken for another one.
  @Test func `a name that is no text is reported as failed`() async throws {
    try tree.add("good.txt", "good")
    try tree.add("bad\u{FFFD}.txt", "another file")
    let name = Array((tree.path("bad").utf8CString.dropLast())) + [CChar(bitPattern: 0xFF)]
    let descriptor = open(name + Array(".txt".utf8CString), O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    let failures = Lock<[SnippetStoreError]>([])

    let report = try await store.importFiles(at: [tree.url]) { event in
      guard event.outcome == .failed, let error = event.error else { return }
      failures.withLock { $0.append(error) }
    }

    #expect(report[.imported] == 2)
    #expect(report[.duplicate] == 0)
    #expect(failures.withLock { $0.map(\.code) } == [.unreadable])
    #expect(failures.withLock { $0[0].reason.contains(tree.path("bad")) })
  }

  @Test func `the same folder is always walked in the same order`() async throws {
    for number in [3, 1, 4, 15, 9, 2, 6, 53, 58] {
      try tree.add("\(number % 3)/\(number).txt", "\(number)")
    }
    let other = try TemporaryStore.open("other.sqlite")

    let first = try await importedPaths([tree.url])
    try await other.importFiles(at: [tree.url])

    #expect(first == first.sorted())
    #expect(try titles(of: store) == titles(of: other))
  }

  @Test func `a deep folder does not matter`() async throws {
    let path = (0..<60).map { "\($0)" }.joined(separator: "/")
    try tree.add("\(path)/a.txt", "a")

    #expect(try await importedPaths([tree.url]) == [tree.path("\(path)/a.txt")])
  }

  // A process of its own, which can give up the right to read everything.
  @Test func `what may not be read is reported, and the rest is imported`() async throws {
    try tree.add("closed.txt", "closed")
    try tree.add("folder/inner.txt", "inner")
    try tree.add("open.txt", "open")
    for name in ["closed.txt", "folder"] { #expect(chmod(tree.path(name), 0) == 0) }

    await #expect(processExitsWith: .success) { [path = tree.url.path as String] in
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let store = try await SnippetStore.inMemory()
      let codes = Lock<[String: SnippetStoreError.Code]>([:])
      let report = try await store.importFiles(at: [URL(fileURLWithPath: path)]) { event in
        if event.outcome == .failed {
          codes.withLock { $0[event.file.lastPathComponent] = event.error?.code }
        }
        if event.file.lastPathComponent == "closed.txt" {
          let words = "Could not read \(event.file.path): Permission denied. Check its permissions."
          #expect(event.error?.description == words)
        }
      }
      #expect(codes.withLock { $0 } == ["closed.txt": .unreadable, "folder": .unreadable])
      #expect(report[.imported] == 1)
      #expect(report[.failed] == 2)
    }
    #expect(chmod(tree.path("folder"), 0o700) == 0)
  }

  private func importedPaths(
    _ urls: [URL],
    _ options: ImportOptions = ImportOptions()
  ) async throws -> [String] {
    let paths = Lock<[String]>([])
    let report = try await store.importFiles(at: urls, options: options) { [leftOut] event in
      if event.outcome == .leftOut {
        leftOut.withLock { $0[event.file.path] = event.error?.reason }
      } else if event.outcome == .imported {
        paths.withLock { $0.append(event.file.path) }
      } else {
        Issue.record("\(event)")
      }
    }
    #expect(report[.failed] == 0)
    return paths.withLock { $0 }
  }

  private func titles(of store: SnippetStore) throws -> [String] {
    try store.list().rows(in: 0..<99).sorted { $0.id < $1.id }.map(\.title)
  }
}
