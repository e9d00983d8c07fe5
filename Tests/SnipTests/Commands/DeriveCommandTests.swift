import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

@Suite(
  .enabled(if: MediaSupport.current.decodesImages && MediaSupport.current.decodesRecordings),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct DeriveCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private func importSamples() async throws {
    for name in ["mountain-lake.jpg", "sunset-over-hills.png", "evening-bell.flac"] {
      try snip.write(try SampleFiles.demo(name), "files/\(name)")
    }
    try snip.write(try SampleFiles.demo("potted-cactus.bmp"), "files/cactus.bmp")
    try snip.write(UndecodedRecording.wav, "files/memo.wav")
    try snip.write(try SampleFiles.demo("balloon-over-meadow.webp").prefix(500), "files/half.webp")
    try snip.write(Data("Milk".utf8), "files/milk.txt")
    _ = try await snip("import", "files")
  }

  @Test func `what is missing is made, kept, dropped and made again`() async throws {
    try await importSamples()

    let first = try await snip("derive", "--progress", "none")
    let again = try await snip("derive", "--progress", "none")
    let anew = try await snip("derive", "--remake", "--progress", "none")
    let dropped = try await snip("derive", "--drop")
    let last = try await snip("derive", "--all-sizes", "--progress", "none")

    #expect(first.status == 1, "\(first)")
    #expect(first.standardError.contains("snip: could not make 1 of them, named above\n"))
    #expect(again.status == 1 && dropped.status == 0 && last.status == 1)
    #expect(first.text == "made 4  kept 0  without decoder 1  failed 1\n")
    #expect(again.text == "made 0  kept 4  without decoder 1  failed 1\n")
    #expect(anew.text == "made 4  kept 0  without decoder 1  failed 1\n")
    #expect(dropped.text == "dropped 4\n")
    #expect(last.text == "made 11  kept 0  without decoder 2  failed 3\n")
    #expect(try await snip("check").status == 0)
  }

  @Test func `only the kind that was asked for`() async throws {
    try await importSamples()

    let output = try await snip("derive", "--kind", "voice", "--json")

    #expect(output.status == 0, "\(output)")
    #expect(try output.json() == [["made": 1, "kept": 0, "withoutDecoder": 1, "failed": 0]])
  }

  @Test func `what fails is named, and nothing else is said`() async throws {
    try await importSamples()

    let output = try await snip("derive", "--progress", "plain")

    let id = try await snip("list", "--json").json().first { $0["title"] == "half" }?["id"]?.integer
    let line = "snippet \(try #require(id)): its bytes are not valid WebP"
    #expect(output.standardError.contains(line), "\(output)")
  }
}
