import Foundation
import TerminalKit

/// The programs that the user has installed or names in the environment.
struct UserPrograms: OtherPrograms {
  let environment: [String: String]

  /// Players, the best first, with the arguments to play one file silently and without a window.
  ///
  /// The last ones know few formats.
  private static let players: [(name: String, arguments: [String], mediaTypes: Set<String>?)] = [
    ("mpv", ["--no-video", "--no-terminal", "--really-quiet", "--"], nil),
    ("ffplay", ["-nodisp", "-autoexit", "-loglevel", "quiet", "-i"], nil),
    ("afplay", [], nil),
    ("pw-play", [], Set(ofLibSndFile)),
    ("paplay", [], Set(ofLibSndFile)),
    ("aplay", ["-q"], ["audio/wav"]),
  ]
  private static let ofLibSndFile = [
    "audio/wav", "audio/flac", "audio/ogg", "audio/aiff", "audio/mpeg",
  ]

  var editor: String? {
    // A shell would take the file for the command after a blank name.
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }
      .first { !$0.allSatisfy(\.isWhitespace) }
    return named ?? ["nano", "vi"].first { path(of: $0) != nil }
  }

  func edit(_ file: URL) throws(OtherProgramError) -> Int32 {
    guard let editor else {
      throw OtherProgramError(
        message: "there is no editor",
        hint: "Set EDITOR to the name of one."
      )
    }
    do {
      // The variable may hold arguments, as for git; no shell ever interprets the name of the file.
      let status = try TerminalJob.run(["/bin/sh", "-c", editor + " \"$1\"", editor, file.path])
      // One that a signal ended did not put the terminal in order.
      if status > 128 { TerminalDevice.resetModes() }
      return status
    } catch {
      throw OtherProgramError(
        message:
          "could not start \(TerminalText(editor)): \(String(cString: strerror(error.number)))"
      )
    }
  }

  func open(_ file: URL) async throws(OtherProgramError) {
    let names = ["xdg-open", "open"]
    guard let program = names.lazy.compactMap(path).first else {
      throw OtherProgramError(
        message: "there is no xdg-open",
        hint: "Install xdg-utils (Debian), or write the bytes with `snip cat`."
      )
    }
    let process = try start(program, [file.path])
    let status = await process.ended()
    guard status == 0 else {
      let name = URL(fileURLWithPath: program).lastPathComponent
      throw Self.openingError(name, of: file.pathExtension, status: status)
    }
  }

  /// The reason why a file was not opened, in words.
  ///
  /// - Parameters:
  ///   - name: The name of the opening program.
  ///   - suffix: The suffix of the file.
  ///   - status: The exit status of the opening program; xdg-open tells by it what failed.
  /// - Returns: The reason.
  private static func openingError(
    _ name: String,
    of suffix: String,
    status: Int32
  ) -> OtherProgramError {
    switch (name, status) {
    case ("xdg-open", 3), ("open", 1):
      OtherProgramError(
        message: "no program is set to open .\(suffix) files",
        hint: "Install or choose one, or write the bytes with `snip cat`."
      )
    case ("xdg-open", 4):
      OtherProgramError(message: "the program for .\(suffix) files could not open it")
    default: OtherProgramError(message: "\(name) ended with status \(status), opening nothing")
    }
  }

  func play(_ file: URL, mediaType: String) throws(OtherProgramError) -> any Playing {
    for player in Self.players where player.mediaTypes?.contains(mediaType) ?? true {
      guard let program = path(of: player.name) else { continue }
      return try start(program, player.arguments + [file.path])
    }
    throw OtherProgramError(
      message: "there is no player for this recording",
      hint: "Install mpv or ffmpeg."
    )
  }

  /// Finds a program.
  private func path(of name: String) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Starts a program that does not need the terminal.
  private func start(
    _ program: String,
    _ arguments: [String]
  ) throws(OtherProgramError) -> QuietProcess {
    do {
      return try QuietProcess([program] + arguments)
    } catch {
      let reason = String(cString: strerror(error.number))
      throw OtherProgramError(message: "could not start \(TerminalText(program)): \(reason)")
    }
  }
}

extension QuietProcess: Playing {}
