import CoreBenchmarks
import Foundation

/// `snip browse` on a terminal.
struct BrowseTerminal {
  private let run: TerminalRun

  /// Starts the browser on a store, and waits until its first screen is at rest.
  init(program: URL, store: URL) throws {
    run = try TerminalRun(
      program,
      ["browse", "--store", store.path],
      environment: [
        "HOME": store.deletingLastPathComponent().path, "TERM": "xterm-256color",
      ]
    )
    run.rest()
    guard place != nil else { throw RawError(message: "the browser shows no list") }
    // The line of counters.
    try type("#")
  }

  /// How many bytes have been sent to the terminal.
  var byteCount: Int { run.byteCount }

  /// The position of the selection and the length of the list, as the uppermost line has them.
  var place: (position: Int, count: Int)? {
    guard let start = shown.range(of: "\u{1B}[1;1H", options: .backwards)?.upperBound else {
      return nil
    }
    let line = shown[start...].prefix(2 * TerminalRun.columns)
    guard let match = line.firstMatch(of: /(\d+)\/(\d+)\s/),
      let position = Int(match.output.1), let count = Int(match.output.2)
    else { return nil }
    return (position, count)
  }

  /// The time in which 99 of 100 frames were made, as the line of counters has it.
  var frameTime: Duration? {
    guard let match = shown.matches(of: /frame ([\d.]+) ms/).last,
      let milliseconds = Double(match.output.1)
    else { return nil }
    return .milliseconds(milliseconds)
  }

  /// Presses a key that moves the selection, and takes the time until that is seen.
  ///
  /// The uppermost line tells the position: it is drawn again for each movement, and for nothing else.
  func press(_ key: String) throws -> Duration {
    try run.time(key, until: "\u{1B}[1;1H")
  }

  /// Types what is not measured, and waits until nothing more comes.
  func type(_ keys: String) throws {
    try run.send(keys)
    run.rest()
  }

  /// Takes what is sent until a time.
  func watch(until end: ContinuousClock.Instant) {
    while ContinuousClock.now < end { run.read(for: end - ContinuousClock.now) }
  }

  /// Ends the browser.
  func close() throws {
    try run.send("q")
    try run.waitForEnd()
  }

  private var shown: String { String(decoding: run.received, as: UTF8.self) }
}

/// `cat` on a terminal that changes nothing: the least that it takes from a key to the screen, with
/// whatever else the machine does meanwhile.
struct EchoTerminal {
  private let run: TerminalRun

  init() throws {
    run = try TerminalRun(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "stty raw -echo && echo ready && exec cat"],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    )
    run.rest()
  }

  /// Presses a key, and takes the time until it is written.
  func press() throws -> Duration { try run.time("x", until: "x") }

  /// Ends the program.
  func close() { run.stop() }
}
