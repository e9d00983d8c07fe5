import Foundation
package import SnipCore

/// The other programs that the browser uses: the user's editor, viewers and players.
protocol OtherPrograms: Sendable {
  /// The user's editor, as the shell reads it; `nil` when there is none.
  var editor: String? { get }

  /// Lets the user edit a file, and blocks until the editor has ended.
  ///
  /// The terminal must be free.
  ///
  /// - Parameter file: The file.
  /// - Returns: The exit status of the editor; 128 plus the number of the signal that ended it.
  /// - Throws: ``OtherProgramError`` when there is no editor, or it does not start.
  func edit(_ file: URL) throws(OtherProgramError) -> Int32

  /// Opens a file with the desktop's program for it.
  ///
  /// - Parameter file: The file.
  /// - Throws: ``OtherProgramError`` when it was not opened.
  func open(_ file: URL) async throws(OtherProgramError)

  /// Starts playing a recording.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - mediaType: The media type of the file.
  /// - Returns: The running player.
  /// - Throws: ``OtherProgramError`` when there is no player, or it does not start.
  func play(_ file: URL, mediaType: String) throws(OtherProgramError) -> any Playing
}

/// A recording that is playing.
protocol Playing: AnyObject, Sendable {
  /// Stops it.
  func stop()

  /// Waits until it has ended or been stopped.
  ///
  /// - Returns: The exit status of the player.
  func ended() async -> Int32
}

/// The reason why another program did not do its work, safe to print.
package struct OtherProgramError: StatusError, Hashable {
  package let message: String
  package var hint: String?

  package var status: ExitStatus { .failure }
}
