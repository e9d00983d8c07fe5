import CoreBenchmarks
import Foundation

/// A display that nobody sees, whose pixels are read out of the server's own memory: looking at
/// them costs the programs on it nothing.
final class WindowDisplay {
  private let server = Process()
  private let name: String
  private let pixels: Data
  private let start: Int
  private let lineLength: Int

  init(in folder: URL) throws {
    let place = folder.appendingPathComponent("display")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
    server.arguments = [
      "-displayfd", "1", "-screen", "0", "900x720x24", "-nolisten", "tcp", "-fbdir", place.path,
    ]
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.runUnblocked()
    // It says its number once it listens.
    let line = try output.fileHandleForReading.read(upToCount: 16) ?? Data()
    name =
      ":" + String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    // A dump of the X window system: numbers of four bytes, a table of colours, the pixels.
    let pixels = try Data(
      contentsOf: place.appendingPathComponent("Xvfb_screen0"),
      options: .alwaysMapped
    )
    func number(_ index: Int) -> Int {
      pixels[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    self.pixels = pixels
    start = number(0) + number(19) * 12
    lineLength = number(12)
  }

  deinit { server.terminate() }

  /// What programs on it are started with.
  func environment(home: URL) -> [String: String] {
    [
      "DISPLAY": name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "HOME": home.path,
      "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC", "NO_AT_BRIDGE": "1",
      "GTK_A11Y": "none", "XDG_DATA_HOME": home.appendingPathComponent("data").path,
      "XDG_STATE_HOME": home.appendingPathComponent("state").path,
    ]
  }

  /// The pixels where the pictures of a list are, red, green, blue and nothing.
  func pictures() -> [UInt8] {
    (60..<680).flatMap { line in
      let offset = start + line * lineLength
      return pixels[offset + 30 * 4..<offset + 90 * 4]
    }
  }

  /// Waits until the pictures have been the same for a while.
  ///
  /// - Returns: When they last changed.
  @discardableResult
  func rest(for calm: Duration = .seconds(1)) -> ContinuousClock.Instant {
    var (shown, last) = (pictures(), ContinuousClock.now)
    while ContinuousClock.now - last < calm {
      usleep(1_000)
      let now = pictures()
      if now != shown { (shown, last) = (now, .now) }
    }
    return last
  }

  /// Has keys or the pointer do something.
  func send(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/xdotool")
    process.arguments = words
    process.environment = environment(home: URL(fileURLWithPath: "/"))
    try process.runUnblocked()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RawError(message: "xdotool failed") }
  }
}

/// A program that shows a list on a display.
final class ShownProgram {
  private let process = Process()
  let start: ContinuousClock.Instant

  init(_ name: String, _ arguments: [String], on display: WindowDisplay, home: URL) throws {
    let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    process.environment = display.environment(home: home)
    process.standardError = FileHandle.nullDevice
    start = .now
    try process.runUnblocked()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The most memory that it has had.
  var peakByteCount: Double {
    let status = "/proc/\(process.processIdentifier)/status"
    let lines = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
    guard let match = lines.firstMatch(of: /VmHWM:\s+(\d+) kB/), let count = Double(match.output.1)
    else { return 0 }
    return count * 1024
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  func waitForEnd() throws {
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RawError(message: "the window failed") }
  }
}

extension Process {
  /// Starts it so that it can be told to end: children block the signals that the thread blocks
  /// which starts them, and a worker thread blocks all.
  fileprivate func runUnblocked() throws {
    var (none, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try run()
  }
}
