#if os(Linux)

import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// What commands that were killed leave beside the store, and what a purge leaves in its folder.
@Suite(.temporaryDirectory, .timeLimit(.minutes(60)))
struct LeftoverTests {
  /// A text in the store that a copy of it has.
  private static let secret = "quince"

  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess().with(["SNIP_STORE": "library/store.sqlite"])
    let folder = TemporaryDirectory.file("library")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  /// Commands that make a copy in the folder of the store.
  private static let copying = [
    ["backup", "library/copy.sqlite"], ["backup", "-"], ["restore", "whole.sqlite"],
    ["restore", "-"], ["salvage", "library/salvaged.sqlite"],
  ]

  @Test(arguments: copying)
  func `what a killed command left is gone after a purge`(command: [String]) async throws {
    try await makeLibrary()
    try await kill(command)
    #expect(try copies() != [])
    _ = try await snip("rm", "1")

    let output = try await snip("purge", "--json")

    #expect(try output.json("complete") == [true], "\(output)")
    #expect(try copies() == [])
    #expect(try await wordsFound([Self.secret]) == [])
  }

  @Test(
    arguments: [
      ["gc"], ["backup", "library/other.sqlite"], ["backup", "elsewhere.sqlite"], ["backup", "-"],
      ["restore", "whole.sqlite"],
    ]
  )
  func `what a killed stream left is gone after other commands too`(
    command: [String]
  ) async throws {
    try await makeLibrary()
    try await kill(["backup", "-"])

    let output = try await snip.run(command)

    #expect(output.status == 0, "\(output)")
    #expect(try copies() == [])
    if command == ["gc"] {
      #expect(output.lines.first == "removed leftovers: 1 unfinished copy", "\(output)")
    }
  }

  @Test func `a purge beside a running backup says that it is not complete`() async throws {
    try await makeLibrary()
    let url = TemporaryDirectory.file("library/copy.sqlite")
    let copy = try UnfinishedCopy(beside: url.path)
    let name = URL(fileURLWithPath: copy.path).lastPathComponent

    let output = try await snip("purge")
    let json = try await snip("purge", "--json")

    #expect(
      output
        == SnipOutput(
          error: """
            Deleted 0 for good.
            snip: could not remove \(name) beside the store, which may hold deleted content: \
            another program uses it
            hint: Run it again once that backup or restore is done. If none is running, delete \
            the file.

            """,
          status: 75
        )
    )
    #expect(json.status == 75)
    #expect(try json.json("complete") == [false] && json.json("remainingCopies") == [1])
    copy.remove()
    #expect(try await snip("purge").status == 0)
  }

  @Test func `a purge beside a text that is not saved leaves and names it, and is not complete`()
    async throws
  {
    try await makeLibrary()
    let kept = ["library/store.sqlite-unsaved-1", "library/store.sqlite-edit-1/snippet-1.txt"]
    for file in kept { try snip.write(Data(Self.secret.utf8), file) }
    // They belong to none of its texts.
    for name in ["other.sqlite-unsaved-1", "store.sqlite-editor"] {
      try snip.write(Data(), "library/\(name)")
    }
    _ = try await snip("rm", "1")

    let json = try await snip("purge", "--json")
    let output = try await snip("purge")

    #expect(json.status == 0 && output.status == 0, "\(json) \(output)")
    #expect(try json.json("complete") == [false] && json.json("keptTexts") == [2], "\(json)")
    let words = "2 texts beside the store are not saved, and may be of deleted snippets."
    #expect(output.standardError.contains(words), "\(output)")
    for path in ["library/store.sqlite-unsaved-1\n", "library/store.sqlite-edit-1\n"] {
      #expect(output.standardError.contains(path), "\(output)")
    }
    for file in kept { #expect(FileStatus.exists(TemporaryDirectory.file(file).path)) }
  }

  @Test(arguments: ["gc", "purge"])
  func `a folder that cannot be listed stops no command, which says so`(
    command: String
  ) async throws {
    try await makeLibrary()
    _ = try await snip("rm", "1")
    let plan = FaultPlan(.open, of: "/library", number: 1, isForGood: true, .fail(.noPermission))

    let run = try await snip.run([command, "--json"], under: plan)

    #expect(run.isStruck && run.output.status == 1, "\(run)")
    #expect(try run.output.json("folderListed") == [false])
    #expect(run.output.standardError.contains("could not look for unfinished copies"), "\(run)")
    if command == "purge" {
      #expect(try run.output.json("complete") == [false])
      #expect(try await wordsFound([Self.secret]) == [])
    }
  }

  @Test func `of all that snippets ever had only what they have now is left after a purge`()
    async throws
  {
    #expect(try await snip("add", "--text", "secret \(Self.secret)").status == 0)
    #expect(try await snip("backup", "whole.sqlite").status == 0)
    let former = try await makeHistory(in: TemporaryDirectory.file("library/store.sqlite"))
    let present = [
      "newtitle", "newbody", "newlong", "newtag", "newheading", "newfolder", "newfile", "newnote",
    ]
    let before = try await wordsFound(former + present)
    #expect(before.isSuperset(of: present + [Self.secret]) && before.count > present.count + 5)
    for command in Self.copying where command.first != "restore" { try await kill(command) }
    // The store is as it was, because this is killed before it replaces anything.
    try await kill(["restore", "-"])

    let output = try await snip("purge", "--json")

    #expect(try output.json("complete") == [true], "\(output)")
    #expect(try await wordsFound(former + present) == Set(present))
    #expect(try await snip("check").status == 0)
  }

  /// Edits, renames, captures, trashes and deletes snippets, and returns the words that none of
  /// them has any more.
  private func makeHistory(in file: URL) async throws -> [String] {
    let store = try SnippetStore(at: file)
    func long(_ word: String) -> String { String(repeating: "\(word) filler\n", count: 9_000) }
    let edited = try await store.save(
      SnippetDraft(.text("oldbody"), title: "oldtitle", tags: ["oldtag"])
    )
    let edits = SnippetEdit(
      title: "newtitle",
      text: "newbody",
      addedTags: ["newtag"],
      removedTags: ["oldtag"]
    )
    try await store.apply(edits, to: edited.id)
    let longText = try await store.save(SnippetDraft(.text(long("oldlong")), title: "long"))
    try await store.apply(SnippetEdit(text: long("newlong")), to: longText.id)
    let headed = try await store.save(SnippetDraft(.text("oldheading\nand more")))
    try await store.apply(SnippetEdit(text: "newheading\nand more"), to: headed.id)

    let notes = TemporaryDirectory.file("notes")
    try snip.write(Data("newnote".utf8), "notes/oldfolder/oldfile.md")
    let options = ImportOptions(makesTagsOfFolders: true)
    _ = try await store.importFiles(at: [notes], options: options) { _ in }
    let renamed = notes.appendingPathComponent("newfolder/newfile.md")
    try FileManager.default.moveItem(
      at: notes.appendingPathComponent("oldfolder"),
      to: notes.appendingPathComponent("newfolder")
    )
    try FileManager.default.moveItem(
      at: notes.appendingPathComponent("newfolder/oldfile.md"),
      to: renamed
    )
    _ = try await store.importFiles(at: [notes], options: options) { _ in }

    let capture = try await store.startCapture(title: "cancelledtitle", kind: .voice)
    try await capture.append(Data(long("cancelledbytes").utf8))
    try await capture.save()
    try await capture.cancel()
    let captured = try await store.startCapture(title: "capturedtitle", kind: .voice)
    try await captured.append(Data(long("capturedbytes").utf8))
    let recording = try await captured.finish()
    let picture = try await store.save(
      Samples.image(Data(long("picturebytes").utf8), title: "picturetitle")
    )
    try await store.saveDerivatives([
      Derivative(
        blobID: try #require(picture.blobID),
        recipe: Recipe("small"),
        data: Data(long("derivativebytes").utf8)
      )
    ])
    try await store.moveToTrash([recording.id])
    try await store.delete([picture.id])
    let secret = try #require(try store.list(order: .oldestFirst).row(at: 0))
    try await store.moveToTrash([secret.id])
    try await store.updateSearchIndex()
    try await store.close()
    return [
      "oldtitle", "oldbody", "oldtag", "oldlong", "oldheading", "oldfolder", "oldfile",
      "cancelledtitle", "cancelledbytes", "capturedtitle", "capturedbytes", "picturetitle",
      "picturebytes", "derivativebytes", Self.secret,
    ]
  }

  // MARK: - Making and looking

  /// Makes a store with the secret, and a backup of it elsewhere.
  private func makeLibrary() async throws {
    #expect(try await snip("add", "--text", Self.secret) == SnipOutput("1\n"))
    #expect(try await snip("add", "--text", "kept") == SnipOutput("2\n"))
    #expect(try await snip("backup", "whole.sqlite").status == 0)
  }

  /// Kills a command once it has written the secret into a copy beside the store.
  private func kill(_ command: [String]) async throws {
    let input =
      command == ["restore", "-"]
      ? try Data(contentsOf: TemporaryDirectory.file("whole.sqlite")) : Data()
    for number in 1...99 {
      // Before each sync in turn; what one that was killed earlier left is removed by the next.
      let plan = FaultPlan(.sync, number: number, .kill)
      let run = try await snip.run(command, input: input, under: plan)
      try #require(run.isStruck && run.output.status == 137, "\(command) before \(number): \(run)")
      let found = try await Shell.run("grep", ["-q", Self.secret, "/dev/null"] + copies())
      if found.status == 0 { return }
    }
    Issue.record("no copy beside the store had the text before the command ended")
  }

  /// The paths of the unfinished copies and their marks in the folder of the store.
  private func copies() throws -> [String] {
    let folder = TemporaryDirectory.file("library")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.contains(".partial-") }
      .map { folder.appendingPathComponent($0).path }
  }

  /// The words that stand anywhere in the folder of the store, whatever their case.
  private func wordsFound(_ words: [String]) async throws -> Set<String> {
    // Another process looks: this one must not open the file by other means than SQLite.
    let line = """
      folder=$0
      for word; do grep -raqi "$word" "$folder" && echo "$word"; done
      exit 0
      """
    let folder = TemporaryDirectory.file("library").path
    let output = try await Shell.run("sh", ["-c", line, folder] + words)
    try #require(output.status == 0, "\(output)")
    return Set(output.standardOutput.split(separator: "\n").map(String.init))
  }
}

#endif
