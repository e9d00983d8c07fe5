package import Foundation

/// The built command `snip`, run in a folder of its own like by its users.
///
/// Its store, home and temporary folder are inside that folder, so nothing else of the machine is
/// touched, and its files can be examined. A test target that uses it depends on the executable, so
/// that it is built first.
package struct SnipTool: Sendable {
  /// The current folder of every run.
  package let folder: URL
  /// The environment of every run.
  package var environment: [String: String]
  /// Runs a command line to its end without a process; if it returns `nil`, a process runs it.
  package var standIn:
    @Sendable (_ tool: SnipTool, _ arguments: [String], _ input: Data) async throws -> SnipOutput? =
      { _, _, _ in nil }

  /// The program, built beside the tests.
  package static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
    let place = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return place.appendingPathComponent("snip")
  }()

  /// Whether a program is on the path.
  package static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains { folder in
      FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
    }
  }

  /// Prepares runs in the folder of the running test case, or in another one.
  package init(in folder: URL = TemporaryDirectory.current.url) throws {
    self.folder = folder
    environment = [
      "HOME": folder.appendingPathComponent("home").path,
      // The machine's own pager would wait for keys.
      "PAGER": "cat",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "SNIP_STORE": folder.appendingPathComponent("store.sqlite").path,
      "TERM": "xterm-256color",
      "TMPDIR": folder.appendingPathComponent("tmp").path,
      "TZ": "UTC",
    ]
    for name in ["home", "tmp"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name),
        withIntermediateDirectories: true
      )
    }
  }

  /// The file of the store, unless a run names another.
  package var store: URL { folder.appendingPathComponent("store.sqlite") }

  /// Writes files into the folder, and makes their folders.
  package func write(_ bytes: Data, _ names: String...) throws {
    for name in names {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try bytes.write(to: file)
    }
  }

  /// The same tool with some environment variables set or, with `nil`, removed.
  package func with(_ changes: [String: String?]) -> SnipTool {
    var tool = self
    for (name, value) in changes { tool.environment[name] = value }
    return tool
  }

  /// Runs `snip` to its end.
  package func callAsFunction(
    _ arguments: String...,
    input: Data = Data()
  ) async throws -> SnipOutput {
    try await run(arguments, input: input)
  }

  /// Runs `snip` to its end.
  package func run(_ arguments: [String], input: Data = Data()) async throws -> SnipOutput {
    if let output = try await standIn(self, arguments, input) { return output }
    return try await start(arguments, input: input).output()
  }

  /// Runs a shell command line to its end; `snip` in it is the built one.
  ///
  /// A line that only calls `snip` needs no shell.
  package func shell(
    _ line: String,
    _ variables: [String: String] = [:]
  ) async throws -> SnipOutput {
    var tool = with(variables.mapValues(Optional.some))
    if let words = Self.words(ofPlainLine: line), words.first == "snip",
      let output = try await standIn(tool, Array(words.dropFirst()), Data())
    {
      return output
    }
    let place = Self.executable.deletingLastPathComponent().path
    tool.environment["PATH"] = "\(place):\(environment["PATH"] ?? "")"
    return try await SnipProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", line],
      tool: tool,
      input: .bytes(Data())
    ).output()
  }

  /// The words of a line that a shell would only split; `nil` for any other.
  private static func words(ofPlainLine line: String) -> [String]? {
    var words: [String] = []
    var isInside = false
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        // Quoted: it continues the word before it, or begins one, which may stay empty.
        if isInside { words[words.count - 1] += part } else { words.append(String(part)) }
        isInside = true
        continue
      }
      for character in part {
        guard character.isLetter || character.isNumber || " ._/:=+,-".contains(character) else {
          return nil
        }
        if character == " " {
          isInside = false
        } else if isInside {
          words[words.count - 1].append(character)
        } else {
          words.append(String(character))
          isInside = true
        }
      }
    }
    return line.count { $0 == "'" }.isMultiple(of: 2) ? words : nil
  }

  /// Starts `snip`, with all of its standard input given at once.
  package func start(_ arguments: [String], input: Data = Data()) throws -> SnipProcess {
    try SnipProcess(Self.executable, arguments, tool: self, input: .bytes(input))
  }

  /// Starts another program, found by its name, in the folder and the environment of this tool.
  package func start(program: String, _ arguments: [String]) throws -> SnipProcess {
    // It becomes the program, which then receives signals directly.
    let env = URL(fileURLWithPath: "/usr/bin/env")
    return try SnipProcess(env, [program] + arguments, tool: self, input: .bytes(Data()))
  }

  /// Starts another program, which runs until a test ends it.
  ///
  /// Its output goes into the file `PROGRAM.log`, because a pipe would fill up.
  package func start(server: String, _ arguments: [String]) throws -> SnipProcess {
    let line = #"exec "$0" "$@" >>"$0.log" 2>&1"#
    return try start(program: "sh", ["-c", line, server] + arguments)
  }

  /// Starts `snip` with a standard input that stays open and has nothing to read.
  package func startWaitingForInput(_ arguments: [String]) throws -> SnipProcess {
    try SnipProcess(Self.executable, arguments, tool: self, input: .open)
  }
}
