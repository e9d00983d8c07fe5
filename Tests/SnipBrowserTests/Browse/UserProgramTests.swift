import Foundation
import SnippetTestSupport
import Testing

@testable import SnipBrowser

/// The programs of the user, as they are started.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UserProgramTests {
  private let folder = TemporaryDirectory.current.url

  /// Puts a line of shell in the place of a program, and makes that the only one there is.
  private func programs(_ name: String, _ line: String) async throws -> UserPrograms {
    try await Shell.writeScript(line, to: folder.appendingPathComponent(name))
    return UserPrograms(environment: ["PATH": folder.path])
  }

  /// Starts a player from a thread that has signals blocked, as those of Swift's pool have.
  private func play(with line: String) async throws -> any Playing {
    try play(by: await programs("mpv", line))
  }

  private func play(by programs: UserPrograms) throws -> any Playing {
    var (all, former) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try programs.play(folder.appendingPathComponent("memo.wav"), mediaType: "audio/wav")
  }

  @Test(arguments: [("TERM", SIGTERM), ("INT", SIGINT), ("PIPE", SIGPIPE)])
  func `signals that this process blocks or ignores reach a player`(name: String, number: Int32)
    async throws
  {
    signal(SIGPIPE, SIG_IGN)
    let player = try await play(with: "kill -\(name) $$; exit 7")
    #expect(await player.ended() == 128 + number)
  }

  @Test func `a player is stopped, with what it has started`() async throws {
    let pipe = TemporaryDirectory.file("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0 && mkfifo(pipe + "2", 0o600) == 0)
    let player = try await play(with: "sh -c 'echo x; read line <\(pipe)2' >\(pipe); exit 7")
    // It has begun; and at the end of the file whoever could write to it has ended.
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe))
    #expect(try reader.read(upToCount: 1) == Data("x".utf8))

    player.stop()

    #expect(await player.ended() == 128 + SIGTERM)
    _ = try reader.readToEnd()
    try reader.close()
    player.stop()
  }

  @Test(arguments: [
    (3, "no program is set to open .wav files"),
    (4, "the program for .wav files could not open it"),
    (9, "xdg-open ended with status 9, opening nothing"),
  ])
  func `a program gets what to open, and a failure is put in words`(status: Int, words: String)
    async throws
  {
    let file = folder.appendingPathComponent("a file; $(x).wav")
    let line = "test \"$1\" = '\(file.path)' || exit 5; exit \(status)"
    let programs = try await programs("xdg-open", line)

    let error = await #expect(throws: OtherProgramError.self) { try await programs.open(file) }
    #expect(error?.message == words)
  }

  @Test func `a program that cannot be started is told`() async throws {
    let programs = try await programs("mpv", "")
    try Data("no program".utf8).write(to: folder.appendingPathComponent("mpv"))
    #expect(throws: OtherProgramError.self) {
      try programs.play(folder, mediaType: "audio/wav")
    }
  }
}
