import Foundation
import SnippetBase

/// The program that shows a long text page by page: `less`, or the user's choice.
package final class PagerProcess {
  private let process: pid_t
  private let input: Int32

  /// The stream for the text.
  ///
  /// If the pager ends before everything is written, a write fails with a closed pipe.
  package let stream: ConsoleStream

  /// Chooses a pager according to environment variables.
  ///
  /// `SNIP_PAGER` takes precedence over `PAGER`, like the variables of git, bat and gh. Without
  /// either it is `less`, if that is installed.
  ///
  /// - Parameter environment: The environment variables.
  /// - Returns: A line of shell; `nil` if no pager is wanted, which an empty variable or `cat`
  ///   means, or none is installed.
  package static func command(in environment: [String: String]) -> String? {
    if let chosen = environment["SNIP_PAGER"] ?? environment["PAGER"] {
      return ["", "cat"].contains(chosen.trimmingCharacters(in: .whitespaces)) ? nil : chosen
    }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }

  /// Starts a pager on this process's terminal.
  ///
  /// - Parameters:
  ///   - command: A line of shell.
  ///   - device: The terminal.
  ///   - environment: The environment variables. `LESS` is set to `FRX`, and `LV` to `-c`, unless
  ///     they are set already: a text that fits the screen is just printed, and colours get
  ///     through.
  ///   - signals: Signals that this process ignores and the pager must not. A closed pipe always
  ///     ends the pager.
  /// - Throws: ``ConsoleError``
  package init(
    _ command: String,
    on device: OutputDevice,
    environment: [String: String],
    restoring signals: [Int32]
  ) throws(ConsoleError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ConsoleError(stream: "the pager", number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let variables = ["LESS": "FRX", "LV": "-c"].merging(environment) { $1 }
    let result = Self.start(command, reading: ends[0], environment: variables, restoring: signals)
    close(ends[0])
    switch result {
    case .success(let process): (self.process, input) = (process, ends[1])
    case .failure(let error):
      close(ends[1])
      throw error
    }
    stream = ConsoleStream(
      name: "the pager",
      sink: FileDescriptorSink(descriptor: input),
      device: device,
      buffering: .full
    )
  }

  private static func start(
    _ command: String,
    reading input: Int32,
    environment: [String: String],
    restoring signals: [Int32]
  ) -> Result<pid_t, ConsoleError> {
    // It stays in the process group of this process, because only that may read from the terminal.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var restored = sigset_t()
    sigemptyset(&restored)
    // This process ignores a closed pipe and reports the failed write.
    for signal in signals + [SIGPIPE] { sigaddset(&restored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &restored)
    // The threads of a pool block signals, and a program that they start would too.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let arguments = ["sh", "-c", command].map { (text: String) in strdup(text) }
    let variables = environment.map { name, value in strdup("\(name)=\(value)") }
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let number = posix_spawn(
      &process,
      "/bin/sh",
      &actions,
      &attributes,
      arguments + [nil],
      variables + [nil]
    )
    return number == 0
      ? .success(process) : .failure(ConsoleError(stream: "the pager", number: number))
  }

  /// Ends the text, and waits until the user has left the pager.
  ///
  /// - Returns: Whether the pager could be started; a shell reports with 126 and 127 that it could
  ///   not.
  package func finish() -> Bool {
    // If the pager has ended, an earlier write has already reported that.
    try? stream.flush()
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let code = (status >> 8) & 0xFF
    return status & 0x7F != 0 || ![126, 127].contains(code)
  }
}
