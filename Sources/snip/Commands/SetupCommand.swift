import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import SystemPackage
import TerminalKit

struct SetupCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Install the manual page and the completions for bash, zsh and fish.",
    usage: "snip setup [options]",
    discussion: """
      Writes them where man and the shells look: for you alone below $XDG_DATA_HOME, else \
      ~/.local/share; with --prefix for all, below its share folder. Run it again after an update: \
      up-to-date files stay. It changes no store and no other file: what another program has \
      installed under one of these names stays.

      Examples:
        snip setup
        snip setup --shell fish
        sudo snip setup --prefix /usr/local
        snip setup --remove
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("Install below the share folder of this one.", valueName: "folder"),
    completion: .directory
  )
  var prefix: String?

  @Option(
    name: .customLong("shell"),
    help: ArgumentHelp(
      "Completions for this shell alone: bash, zsh or fish. May be repeated.",
      valueName: "shell"
    )
  )
  var shells: [ShellArgument] = []

  @Flag(name: .customLong("remove"), help: "Remove what it has installed.")
  var removes = false

  func validate() throws {
    guard prefix?.isEmpty != true else { throw ValidationError("--prefix is empty.") }
  }

  func run(in context: CommandContext) async throws {
    let share = try share(in: context)
    var obstacles: [SetupObstacle] = []
    for file in files {
      let url = share.appendingPathComponent(file.path)
      let outcome: Outcome
      if let obstacle = try obstacle(at: url) {
        obstacles.append(obstacle)
        outcome = .foreign
      } else {
        outcome = try removes ? remove(url) : write(file.text(), to: url)
      }
      if output.isJSON {
        try context.console.output.writeLine([
          "file": .string(url.path), "outcome": .string(outcome.rawValue),
        ])
      } else {
        try context.console.output.writeLine("\(outcome.rawValue)  \(TerminalText(url.path))")
      }
    }
    if !removes { advise(share, in: context) }
    guard !obstacles.isEmpty else { return }
    guard removes else { throw SetupObstacleError(obstacles: obstacles) }
    for obstacle in obstacles {
      context.console.messages.writeLine(
        "\(TerminalText(obstacle.path)) is \(obstacle.thing), and stays."
      )
    }
  }

  /// The folder that has `man` and those of the shells.
  private func share(in context: CommandContext) throws -> URL {
    if let prefix {
      let folder = context.url(prefix)
      try StoreSeam.requireNoStore(at: folder.path, during: "install into \(folder.path)")
      return folder.appendingPathComponent("share")
    }
    let environment = context.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(fileURLWithPath: data, isDirectory: true)
    }
    guard let home = environment["HOME"], !home.isEmpty else { throw NoHomeForFilesError() }
    return URL(fileURLWithPath: home, isDirectory: true).appendingPathComponent(".local/share")
  }

  private var files: [(path: String, text: () -> String)] {
    let chosen = shells.isEmpty ? ShellArgument.allCases : shells
    return [("man/man1/snip.1", { ManualPage(of: Snip.configuration).text })]
      + ShellArgument.allCases.filter(chosen.contains).map { shell in
        (shell.path, { shell.script })
      }
  }

  private enum Outcome: String {
    case written, unchanged, removed, missing, foreign
  }

  /// Finds what is in the place of a file and was not written by this program; `nil` if nothing is.
  private func obstacle(at url: URL) throws -> SetupObstacle? {
    let thing: String
    switch (try? Stat(url.path))?.type {
    // A file behind a link that leads nowhere would stay when the link is removed.
    case nil where FileStatus.exists(url.path): thing = "a broken link"
    case nil: return nil
    case .regular?:
      guard try !isOwn(url) else { return nil }
      thing = "a file of another program"
    case .directory?: thing = "a folder"
    // A pipe would be waited for.
    default: thing = "a special file"
    }
    return SetupObstacle(path: url.path, thing: thing)
  }

  /// Whether a version of this program has written a file, which then names these commands.
  private func isOwn(_ url: URL) throws -> Bool {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: url)
    } catch {
      throw UnknownFileError(path: url.path, number: error.systemNumber ?? EACCES)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return ["undelete", "salvage"].allSatisfy { text.contains($0) }
  }

  private func write(_ text: String, to url: URL) throws -> Outcome {
    let bytes = Data((text.hasSuffix("\n") ? text : text + "\n").utf8)
    if (try? Data(contentsOf: url)) == bytes { return .unchanged }
    try requireNoStore(atNew: url.deletingLastPathComponent().path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
    } catch {
      throw OutputFileError(path: url.path, error)
    }
    let file = try ReplacementFile(path: url.path)
    try file.write(bytes)
    try file.publish()
    return .written
  }

  /// Refuses to make a folder in the place of a file that belongs to a store.
  private func requireNoStore(atNew folder: String) throws {
    var folder = folder
    while !folder.isEmpty, !FileStatus.exists(folder) {
      try StoreSeam.requireNoStore(at: folder, during: "install into \(folder)")
      folder = folder.folderPath
    }
  }

  private func remove(_ url: URL) throws -> Outcome {
    if unlink(url.path) == 0 { return .removed }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw OutputFileError(path: url.path, number: errno)
    }
    return .missing
  }

  /// Tells the user what else the files need to work.
  private func advise(_ share: URL, in context: CommandContext) {
    let messages = context.console.messages
    messages.writeLine("They are there in new shells; bash needs the package bash-completion.")
    guard !share.path.hasPrefix("/usr/") else { return }
    if files.contains(where: { $0.path == ShellArgument.zsh.path }) {
      let folder = share.appendingPathComponent("zsh/site-functions").path
      messages.writeLine(
        "zsh: put this before compinit in ~/.zshrc: fpath=(\(ShellWord(folder)) $fpath)"
      )
    }
    messages.writeLine(
      "man: if it does not find the page: export MANPATH=\(ShellWord(share.appendingPathComponent("man").path)):"
    )
  }
}

/// A shell that completions can be made for.
enum ShellArgument: String, CaseIterable, ExpressibleByArgument {
  case bash, zsh, fish

  /// The place where it looks for the completions of `snip`, below a share folder.
  var path: String {
    switch self {
    case .bash: "bash-completion/completions/snip"
    case .zsh: "zsh/site-functions/_snip"
    case .fish: "fish/vendor_completions.d/snip.fish"
    }
  }

  /// The completions of `snip`.
  var script: String {
    Snip.completionScript(for: shell) + (self == .bash ? BashCompletion.functions : "")
  }

  private var shell: CompletionShell {
    switch self {
    case .bash: .bash
    case .zsh: .zsh
    case .fish: .fish
    }
  }
}

/// No setting says where a user's files are.
struct NoHomeForFilesError: StatusError {
  var status: ExitStatus { .cannotCreate }
  var message: String { "could not choose a folder: HOME is not set" }
  var hint: String? { "Name one: snip setup --prefix FOLDER" }
}

/// A file cannot be read, so that it may be of this program or of another.
struct UnknownFileError: StatusError {
  let path: String
  let number: Int32

  var status: ExitStatus { .cannotCreate }
  var message: String { "could not read \(path): \(String(cString: strerror(number)))" }
  var hint: String? { "Check its permissions. A file of another program stays as it is." }
}

/// A thing that has the name of a file to be installed.
struct SetupObstacle: Sendable {
  let path: String
  /// The kind of the thing, as it follows “is”.
  let thing: String
}

/// Files could not be installed; all others were.
struct SetupObstacleError: StatusError {
  let obstacles: [SetupObstacle]

  var status: ExitStatus { .cannotCreate }
  var message: String {
    let reasons = obstacles.map { "\($0.path): \($0.thing) is in the way" }
    return "could not write \(reasons.joined(separator: "; "))"
  }
  var hint: String? {
    obstacles.count == 1 ? "Move away what has that name." : "Move away what has those names."
  }
}

extension OutputFileError {
  /// Takes the reason from an error of Foundation.
  fileprivate init(path: String, _ error: any Error) {
    self.init(path: path, number: error.systemNumber ?? EACCES)
  }
}
