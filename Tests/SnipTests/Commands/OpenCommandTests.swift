import Foundation
import SnippetTestSupport
import Testing

/// `open` and `play`, with stand-ins for the desktop's programs.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OpenCommandTests {
  let snip: SnipTool

  init() async throws {
    let plain = try SnipTool()
    let programs = plain.folder.appendingPathComponent("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    snip = plain.with(["PATH": "\(programs.path):/usr/bin:/bin"])
    try await SampleLibrary.make()
  }

  private func program(_ name: String, _ lines: String) async throws {
    try await Shell.writeScript(
      lines,
      to: snip.folder.appendingPathComponent("programs/\(name)")
    )
  }

  private var temporaryFiles: [String] {
    let place = snip.folder.appendingPathComponent("tmp").path
    return (FileManager.default.enumerator(atPath: place)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".wav") }
  }

  @Test func `a snippet is opened by the desktop's program, in a copy`() async throws {
    try await program("xdg-open", "cp \"$1\" opened; echo \"$1\" >name")

    let output = try await snip("open", "2", "--json")

    #expect(output.status == 0, "\(output)")
    #expect(try output.json("id") == [2])
    let opened = snip.folder.appendingPathComponent("opened")
    #expect(try Data(contentsOf: opened) == SampleLibrary.picture)
    let name = try String(
      contentsOf: snip.folder.appendingPathComponent("name"),
      encoding: .utf8
    )
    #expect(name.hasSuffix("2 Harbour.png\n"), "\(name)")
  }

  @Test(arguments: [
    (3, "no program is set to open .png files"),
    (4, "the program for .png files could not open it"),
  ])
  func `a desktop that cannot open a snippet is told`(status: Int32, words: String) async throws {
    try await program("xdg-open", "exit \(status)")

    let output = try await snip("open", "2")

    #expect(output.status == 1 && output.standardError.contains(words), "\(output)")
  }

  @Test func `a recording is played to its end, and its copy removed`() async throws {
    try await program("mpv", "for last; do :; done; cp \"$last\" played")

    let output = try await snip("play", "3")

    #expect(output == SnipOutput())
    let played = snip.folder.appendingPathComponent("played")
    #expect(try Data(contentsOf: played) == SampleLibrary.recording)
    #expect(temporaryFiles.isEmpty)
  }

  @Test func `an interrupt stops the player`() async throws {
    #expect(try await snip.shell("mkfifo begun end").status == 0)
    try await program("mpv", "echo started >begun; read line <end")
    let session = try TerminalSession(snip, ["play", "3"])
    try await session.read(until: "Playing Memo")
    #expect(try await snip.shell("cat begun").text == "started\n")

    session.send(SIGINT)

    #expect(try await session.end().status == 130)
    #expect(temporaryFiles.isEmpty)
  }

  @Test func `only a recording is played, by a player that works`() async throws {
    try await program("mpv", "exit 2")

    let outputs = [
      try await snip("play", "1"), try await snip("play", "99"), try await snip("play", "3"),
      try await snip("open", "99"),
    ]

    #expect(outputs.map(\.status) == [65, 2, 1, 2])
    #expect(
      outputs[0].standardError == """
        snip: could not play snippet 1: it is a text
        hint: To see it: snip show 1

        """
    )
    #expect(outputs[2].standardError == "snip: the player ended with status 2\n")
  }
}
