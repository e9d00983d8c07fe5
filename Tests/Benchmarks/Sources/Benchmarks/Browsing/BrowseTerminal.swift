import Foundation

/// A terminal of which `snip browse` knows nothing but what any other tells it, and that measures how
/// soon a key is seen.
final class BrowseTerminal {
  static let columns = 120
  static let lines = 40

  /// How long it took from each key to the first bytes of the frame that it led to.
  private(set) var latencies: [Duration] = []
  /// How many bytes were sent since the last ``beginCounting()``.
  private(set) var byteCount = 0

  private let process = Process()
  private let master: Int32
  private var text = Data()

  /// Starts the browser on a store, and waits until its first screen is at rest.
  init(program: URL, store: URL) throws {
    var (own, device): (Int32, Int32) = (-1, -1)
    var size = winsize()
    size.ws_col = UInt16(Self.columns)
    size.ws_row = UInt16(Self.lines)
    guard openpty(&own, &device, nil, nil, &size) == 0 else {
      throw RawError(message: "no terminal")
    }
    master = own
    // What is started must not keep the terminal open.
    _ = fcntl(own, F_SETFD, FD_CLOEXEC)
    let handle = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    process.executableURL = program
    process.arguments = ["browse", "--store", store.path]
    process.environment = [
      "HOME": store.deletingLastPathComponent().path, "TERM": "xterm-256color",
    ]
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try rest()
    guard place != nil else { throw RawError(message: "the browser shows no list") }
  }

  /// The position of the selection and the length of the list, as the uppermost line has them.
  var place: (position: Int, count: Int)? {
    guard let line = lastText(from: "\u{1B}[1;1H", to: "\u{1B}[0m"),
      let match = line.matches(of: /(\d+)\/(\d+)/).last, let position = Int(match.output.1),
      let count = Int(match.output.2)
    else { return nil }
    return (position, count)
  }

  /// The time in which 99 of 100 frames were made, as the line of counters has it.
  var frameTime: Duration? {
    let shown = String(decoding: text.suffix(1 << 16), as: UTF8.self)
    guard let match = shown.matches(of: /frame ([\d.]+) ms/).last,
      let milliseconds = Double(match.output.1)
    else { return nil }
    return .milliseconds(milliseconds)
  }

  func beginCounting() {
    (latencies, byteCount) = ([], 0)
  }

  /// Types what is not measured, and waits until nothing more comes.
  func type(_ keys: String) throws {
    try send(keys)
    try rest()
  }

  /// Presses a key that moves the selection, takes the time until that is seen, and then waits for the
  /// time of the next key.
  func press(_ key: String, interval: Duration) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let end = start + interval
    text.removeAll(keepingCapacity: true)
    try send(key)
    // The uppermost line tells the position: it is drawn again for each movement, and for nothing else.
    let mark = Data("\u{1B}[1;1H".utf8)
    while text.range(of: mark) == nil {
      guard try read(for: .seconds(5)) else { throw RawError(message: "a key without a frame") }
    }
    latencies.append(start.duration(to: clock.now))
    while clock.now < end { _ = try read(for: end - clock.now) }
  }

  /// Ends the browser.
  func close() throws {
    try send("q")
    while try read(for: .seconds(1)) {}
    process.waitUntilExit()
    _ = Foundation.close(master)
    guard process.terminationStatus == 0 else { throw RawError(message: "the browser failed") }
  }

  /// Waits until nothing has come for half a second.
  func rest() throws {
    while try read(for: .milliseconds(500)) {}
  }

  private func send(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else {
      throw RawError(message: "the terminal takes no keys")
    }
  }

  /// Reads what has come, if anything does in time.
  private func read(for time: Duration) throws -> Bool {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(max(1, time / .milliseconds(1)))) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    text.append(contentsOf: buffer[..<count])
    byteCount += count
    return true
  }

  private func lastText(from start: String, to end: String) -> String? {
    let shown = String(decoding: text, as: UTF8.self)
    return shown.range(of: start, options: .backwards).map { found in
      let rest = shown[found.upperBound...]
      // Where the first frame draws it, nothing stands before its style either.
      return String(rest[..<(rest.range(of: end)?.lowerBound ?? rest.endIndex)])
    }
  }
}
