import CProcess
import SnipCore

/// The threads and files that every command needs, tried before a library needs them.
///
/// Dispatch tries for ever to make a thread, and no signal would reach a handler then. Without a
/// file for its events it traps.
enum StartRoom {
  /// The threads of most commands: Dispatch's own, that of the main queue, those of the tasks, and
  /// those that wait for the disk.
  ///
  /// Measured: with eight a removal still waited for another one, once in ten.
  private static let threadCount = 10
  /// The threads besides, of commands that show a list: those that load what is on screen, and
  /// those of the decoders.
  ///
  /// Measured: the browser had 22 in all.
  static let threadCountOfScreen = 16
  /// The files of Dispatch and of a store with its log.
  private static let fileCount = 10

  /// Tries to get both.
  ///
  /// - Parameter moreThreads: The number of threads besides those of most commands.
  /// - Throws: ``NoRoomError`` if the process may not have them.
  static func require(moreThreads: Int = 0) throws(NoRoomError) {
    switch snippet_start_try(Int32(threadCount + moreThreads), Int32(fileCount)) {
    case snippet_start_no_threads: throw .threads
    case snippet_start_no_files: throw .files
    default: break
    }
  }
}

/// The limits of the process are too low for any command.
enum NoRoomError: StatusError {
  case threads, files

  var status: ExitStatus { self == .files ? .diskFailure : .failure }

  var message: String {
    switch self {
    case .threads: "could not start: no more processes or memory are allowed"
    case .files: "could not start: no more files may be open at a time"
    }
  }

  var hint: String? {
    switch self {
    case .threads:
      "Raise the limit (`ulimit -u`, `ulimit -v`, or that of the container), or end other programs."
    case .files: "Raise the limit: ulimit -n 256"
    }
  }
}
