import Foundation
import SnipCore

/// What other programs do for the browser: the user's editor, viewers and players.
protocol OtherPrograms: Sendable {
  /// Has the user edit a file; blocks until the editor has ended. The terminal must be free for it.
  ///
  /// - Parameter file: The file.
  /// - Returns: The exit status of the editor.
  /// - Throws: ``OtherProgramError`` when there is no editor, or it does not start.
  func edit(_ file: URL) throws(OtherProgramError) -> Int32

  /// Opens a file as the desktop does.
  ///
  /// - Parameter file: The file.
  /// - Throws: ``OtherProgramError`` when it was not opened.
  func open(_ file: URL) async throws(OtherProgramError)

  /// Starts to play a recording.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - mediaType: What it is.
  /// - Returns: What plays it.
  /// - Throws: ``OtherProgramError`` when there is no player, or it does not start.
  func play(_ file: URL, mediaType: String) throws(OtherProgramError) -> any Playing
}

/// A recording that is being played.
protocol Playing: AnyObject, Sendable {
  /// Stops it.
  func stop()

  /// Waits until it has been played or stopped.
  ///
  /// - Returns: The exit status of the player.
  func ended() async -> Int32
}

/// Why another program did not do its work, safe to print.
struct OtherProgramError: StatusError, Hashable {
  let message: String
  var hint: String?

  var status: ExitStatus { .failure }
}
