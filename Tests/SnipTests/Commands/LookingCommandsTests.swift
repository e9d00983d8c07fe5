import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

/// `show` and `info`.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LookingCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test func `a text is shown under what is known of it`() async throws {
    let row = try #require(try await snip("show", "1", "--json").json().first)
    let uuid = try #require(row["uuid"]?.string)

    let output = try await snip("show", "1")

    let changed = try #require(row["modifiedAt"]?.string).prefix(16).replacing("T", with: " ")
    #expect(
      output
        == SnipOutput(
          """
          Milk, eggs, bread
          number    1  \(uuid)
          kind      text, text/plain
          size      34 B (34 bytes)
          created   2026-01-01 00:00
          changed   \(changed)
          tags      Home, shopping
          pinned    yes

          Milk, eggs, bread
          and a newspaper


          """
        )
    )
    #expect(row["text"] == .string(SampleLibrary.shopping))
  }

  @Test func `the files of a snippet are named, the first of many`() async throws {
    let folder = TemporaryDirectory.current.url.appendingPathComponent("notes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for number in 1...7 {
      try Samples.png.write(to: folder.appendingPathComponent("\(number).png"))
    }
    try Data("Milk".utf8).write(to: folder.appendingPathComponent("ä ö.md"))
    #expect(try await snip("import", "notes").status == 0)
    let path = FileSystem.realPath(of: folder.path)
    let note = try #require(try await snip("list", "--json", "--limit", "1").json().first?["id"])

    let ofNote = try await snip("show", "\(try #require(note.integer))")
    // The library has the same picture.
    let ofPicture = try await snip("show", "2")
    let json = try #require(try await snip("show", "2", "--json").json().first)

    #expect(ofNote.lines.contains("file      \(path)/ä ö.md"), "\(ofNote)")
    #expect(
      ofPicture.lines.filter { $0.hasPrefix("file") }
        == (1...5).map { "file      \(path)/\($0).png" }
        + ["file      and 2 more, which --json names"]
    )
    #expect(json["files"] == .array((1...7).map { .string("\(path)/\($0).png") }))
  }

  @Test func `the whole of a long text is shown`() async throws {
    let row = try #require(try await snip("show", "4", "--json").json().first)
    let output = try await snip("show", "4")

    #expect(row["text"] == .string(SampleLibrary.longText))
    #expect(output.text.hasSuffix("\n\n\(SampleLibrary.longText)\n"))
  }

  @Test func `of an image or a recording the facts are shown, and how to get the bytes`()
    async throws
  {
    let picture = try await snip("show", "2")
    let recording = try await snip("show", "3", "--json").json()

    #expect(picture.text.hasSuffix("\n\nIts bytes: snip cat 2 -o FILE\n"), "\(picture)")
    #expect(picture.lines.contains("media     1×1"), "\(picture)")
    #expect(recording[0]["duration"] == .number(1.5))
    #expect(recording[0]["sampleRate"] == 8000 && recording[0]["channelCount"] == 1)
    let shown = try await snip("show", "3")
    #expect(shown.lines.contains("sound     8000 Hz, mono"), "\(shown)")
    #expect(!picture.text.contains("sound"), "\(picture)")
    #expect(recording[0]["text"] == nil)
  }

  @Test func `the store tells where it is and how much it holds`() async throws {
    let output = try await snip("info")

    #expect(output.status == 0 && output.standardError.isEmpty)
    #expect(
      output.lines.prefix(5) == [
        "store     \(snip.store.path) (from SNIP_STORE)",
        "snippets  5: 3 text, 1 image, 1 voice", "trash     0",
        "tags      3", "blobs     4, 96.2 kB",
      ]
    )
  }
}
