#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// A display that nobody sees.
final class VirtualDisplay {
  /// What programs call it.
  let name: String
  let size: (width: Int, height: Int)
  private let server = Process()

  init(_ size: (width: Int, height: Int)) throws {
    self.size = size
    let number = Pipe()
    server.executableURL = URL(filePath: "/usr/bin/Xvfb")
    // It would start anew when its only program ends, as one that takes a picture does, and turn
    // away a window that comes meanwhile.
    server.arguments = [
      "-displayfd", "1", "-screen", "0", "\(size.width)x\(size.height)x24", "-nolisten", "tcp",
      "-noreset",
    ]
    server.standardOutput = number
    server.standardError = FileHandle.nullDevice
    try server.runAlone()
    // It says its number once it listens.
    let line = try #require(try number.fileHandleForReading.read(upToCount: 16))
    name =
      ":" + String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    server.terminate()
    // It takes its socket away as it ends, which would be that of the next server of this number.
    server.waitUntilExit()
  }
}

/// A running window on a display, with a keyboard and a pointer.
final class WindowRun {
  private let display: VirtualDisplay
  private let program = Process()
  private let folder: URL
  private let errors: URL
  private let report: URL
  /// What holds the clipboard.
  private var copying: Process?

  /// Starts the window.
  ///
  /// - Parameters:
  ///   - arguments: What it is started with.
  ///   - folder: Where its settings and other files are.
  ///   - others: Further variables of its environment.
  ///   - display: The display that it is on, one of its own as a rule.
  /// - Throws: Why it cannot be started.
  init(
    _ arguments: [String],
    in folder: URL = TemporaryDirectory.current.url,
    environment others: [String: String] = [:],
    on display: VirtualDisplay? = nil
  ) throws {
    self.folder = folder
    errors = folder.appendingPathComponent("errors-\(UUID().uuidString)")
    self.display = try display ?? VirtualDisplay((900, 720))
    program.executableURL = SnipTool.executable.deletingLastPathComponent()
      .appendingPathComponent("snip-window")
    report = folder.appendingPathComponent("report-\(UUID().uuidString)")
    program.arguments = arguments + ["--report", report.path]
    program.environment = environment.merging(others) { $1 }
    try Data().write(to: errors)
    program.standardError = try FileHandle(forWritingTo: errors)
    try program.runAlone()
  }

  deinit {
    copying?.terminate()
    if program.isRunning { kill(program.processIdentifier, SIGKILL) }
  }

  private var environment: [String: String] {
    [
      "DISPLAY": display.name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "HOME": folder.path,
      "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC",
      "XDG_DATA_HOME": folder.appendingPathComponent("data").path,
      "XDG_STATE_HOME": folder.appendingPathComponent("state").path,
      // There is nobody to read the screen aloud, and no sound.
      "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
      // Dialogs of GTK note their size, with a service that is not there.
      "GSETTINGS_BACKEND": "memory",
    ]
  }

  /// Presses keys, as `xdotool` names them.
  func press(_ keys: String...) async throws {
    for key in keys { try await run("xdotool", "key", key) }
  }

  func type(_ text: String) async throws { try await run("xdotool", "type", text) }

  /// Moves the pointer and presses its button.
  func click(_ x: Int, _ y: Int, button: Int = 1) async throws {
    try await run("xdotool", "mousemove", "\(x)", "\(y)")
    try await run("xdotool", "click", "\(button)")
  }

  /// Moves the pointer.
  func point(at x: Int, _ y: Int) async throws {
    try await run("xdotool", "mousemove", "\(x)", "\(y)")
  }

  /// Waits until a window with a title is on screen.
  func untilWindow(_ title: String) async throws {
    try await run("xdotool", "search", "--sync", "--onlyvisible", "--name", "^\(title)$")
  }

  /// Waits until no window with a title is on screen; it gets the keys that come before.
  func untilNoWindow(_ title: String) async throws {
    try await until("\(title) has gone", within: .seconds(120)) {
      (try? await run("xdotool", "search", "--onlyvisible", "--name", "^\(title)$")) == nil
    }
  }

  /// Waits until a window with a title has the keyboard; keys that come before are lost.
  func untilFocused(_ title: String) async throws {
    try await until("\(title) has the keyboard", within: .seconds(120)) {
      let name = try? await run("xdotool", "getwindowfocus", "getwindowname")
      return name.map { String(decoding: $0, as: UTF8.self) } == "\(title)\n"
    }
  }

  /// Moves the window, the only one on its display.
  func move(to x: Int, _ y: Int) async throws {
    try await run(
      "xdotool",
      "search",
      "--sync",
      "--onlyvisible",
      "--name",
      "Snippets",
      "windowmove",
      "--sync",
      "\(x)",
      "\(y)"
    )
  }

  /// Presses the pointer's button at one place, and lets it go at another.
  func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) async throws {
    try await run("xdotool", "mousemove", "\(start.x)", "\(start.y)", "mousedown", "1")
    // It is a drag when the pointer is some way from where it was pressed, and GTK looks at what is
    // below it as it moves.
    for step in 1...10 {
      let x = start.x + (end.x - start.x) * step / 10
      let y = start.y + (end.y - start.y) * step / 10
      try await run("xdotool", "mousemove", "--sync", "\(x)", "\(y)")
    }
    try await run("xdotool", "mouseup", "1")
  }

  /// The clipboard, as another program gets it; empty if there is nothing of a type.
  func clipboard(as type: String) async throws -> Data {
    (try? await run("xclip", "-o", "-selection", "clipboard", "-t", type)) ?? Data()
  }

  /// Turns the wheel up with a key held down.
  func turnWheel(at x: Int, _ y: Int, holding key: String) async throws {
    try await run(
      "xdotool",
      ["mousemove", "\(x)", "\(y)", "keydown", key, "click", "4", "keyup", key]
    )
  }

  /// Puts a text on the clipboard, as another program would, soon after.
  func copy(_ text: String, as type: String) throws { try copy(Data(text.utf8), as: type) }

  /// Puts bytes on the clipboard, as another program would, soon after.
  func copy(_ bytes: Data, as type: String) throws {
    copying?.terminate()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/xclip")
    // Without the option it goes on in the background, where nobody ends it.
    process.arguments = ["-quiet", "-selection", "clipboard", "-t", type]
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let input = Pipe()
    process.standardInput = input
    try process.runAlone()
    try input.fileHandleForWriting.write(contentsOf: bytes)
    try input.fileHandleForWriting.close()
    copying = process
  }

  /// Opens the first snippet of the list, a text, and types a mark before it.
  func openFirstText(_ id: SnippetID, of store: SnippetStore) async throws {
    func markCount() async throws -> Int { try await store.text(of: id).prefix { $0 == "!" }.count }
    // Keys that come before the list is there are lost.
    try await until("the list is there", within: .seconds(120)) {
      try await screen().firstDark(in: 110..<400, lines: 56..<122) != nil
    }
    try await until("the text can be typed into", within: .seconds(120)) {
      // Each attempt starts from the list: in an opened text these keys would put a line before it.
      try await press("Escape", "Home", "Return")
      var arrivedCount = 0
      for _ in 0..<8 where arrivedCount < 2 {
        // A mark that comes before the text is there is lost, and the first one that arrives may be
        // of the attempt before.
        let former = try await markCount()
        try await type("!")
        if (try? await until("it is typed", within: .seconds(3)) {
          try await markCount() > former
        }) != nil {
          arrivedCount += 1
        }
      }
      return arrivedCount == 2
    }
    try await until("one mark is left", within: .seconds(120)) {
      let count = try await markCount()
      guard count > 1 else { return true }
      try await press("BackSpace")
      try? await until("one is gone", within: .seconds(3)) { try await markCount() < count }
      return false
    }
  }

  /// The files of the texts that are kept beside a store.
  static func keptTexts(beside store: URL) throws -> [String] {
    let folder = store.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("\(store.lastPathComponent)-unsaved-") }
      // It may be saved, and removed, in between.
      .compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  /// Takes a picture of the display.
  func screen() async throws -> Screen {
    let bytes = try await run("import", "-window", "root", "-depth", "8", "rgb:-")
    return Screen(width: display.size.width, height: display.size.height, bytes: bytes)
  }

  /// Waits until the numbered pictures on screen are as they should be.
  func untilPictures(_ what: String, are isSo: ([Screen.Found]) -> Bool) async throws {
    var last: [Int] = []
    do {
      try await until(what, within: .seconds(120)) {
        let pictures = try await screen().pictures()
        last = pictures.map(\.number)
        return isSo(pictures)
      }
    } catch {
      Issue.record("\(what): at the end there are \(last); \(complaints)")
      throw error
    }
  }

  /// The lines that it and GTK have written to standard error, without those in which GTK 4.8
  /// complains of itself.
  ///
  /// It sometimes draws a part of its own widgets before it has given it a place, or closes a menu of
  /// its own that it still takes for pressed.
  var complaints: String {
    let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    let known = ["Trying to snapshot GtkGizmo", "Broken accounting of active state"]
    return text.split(separator: "\n").filter { !known.contains(where: $0.contains) }
      .joined(separator: "\n")
  }

  /// Sends the program a signal.
  func send(_ signal: Int32) { kill(program.processIdentifier, signal) }

  /// Waits for the end of the program.
  ///
  /// - Returns: Its status.
  func end() async throws -> Int32 {
    try await until("the window is closed", within: .seconds(120)) { !program.isRunning }
    return program.terminationStatus
  }

  /// What it says of itself once it has ended.
  struct Report: Decodable {
    var viewsCreated: Int
    var viewsBound: Int
    var wrongDeliveries: Int
  }

  func readReport() throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(contentsOf: report))
  }

  @discardableResult
  private func run(_ program: String, _ arguments: String...) async throws -> Data {
    try await run(program, arguments)
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) async throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.runAlone()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    try output.fileHandleForReading.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(program: program) }
    return bytes
  }

  private struct Failed: Error {
    var program: String
  }
}
#endif
