import Foundation
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ExportCommandTests {
  private let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  @Test func `the files are there byte for byte, and the way back is told`() async throws {
    let output = try await snip("export", "my files")

    #expect(output.text == "my files: 5 snippets, 96.2 kB\n", "\(output)")
    #expect(output.standardError == "To bring them back: snip import 'my files'\n")
    for (name, bytes) in zip(
      [
        "texts/1 Milk, eggs, bread.txt", "images/2 Harbour.png", "recordings/3 Memo.wav",
        "texts/4 A long one.txt", "texts/5 An older encoding.txt",
      ],
      SampleLibrary.contents
    ) {
      #expect(try Data(contentsOf: TemporaryDirectory.file("my files/\(name)")) == bytes)
    }
  }

  @Test func `a file that is larger than files may be there is reported`() async throws {
    let output = try await snip.shell("ulimit -f 100; snip export small")

    #expect(output.status == 73, "\(output)")
    #expect(output.standardError.contains(": File too large\n"), "\(output)")
    #expect(
      output.standardError.hasSuffix("hint: Export to a disk that takes files of this size.\n"),
      "\(output)"
    )
  }

  @Test func `a folder that holds something is refused`() async throws {
    try snip.write(Data(), "full/file")

    let output = try await snip("export", "full")

    #expect(output.status == 73)
    #expect(output.standardError.contains("Give a new or empty folder."), "\(output)")
  }
}
