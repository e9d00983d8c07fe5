import ArgumentParser
import Foundation
import SnipCore

/// The manual page of `snip`, made from its `--help`.
struct ManualPage {
  /// The page in the language of `man`.
  private(set) var text = ""

  /// Makes the page.
  ///
  /// - Parameter root: The configuration of the root command, which has all others.
  init(of root: CommandConfiguration) {
    let name = root.commandName ?? "snip"
    line(".TH \(name.uppercased()) 1 \"\" \"\(name) \(root.version)\"")
    section("NAME")
    line(
      "\(name) \\- \(Self.escaped(root.abstract.prefix(1).lowercased() + root.abstract.dropFirst().dropLast()))"
    )
    section("SYNOPSIS")
    line(".B \(name)")
    line(".I command")
    line("[\\fIoptions\\fR]")
    section("DESCRIPTION")
    discussion(root.discussion)
    section("COMMANDS")
    let commands = root.subcommands.filter { $0.configuration.shouldDisplay }
    let common = Self.commonOptions(of: commands)
    for command in commands { self.command(command, leavingOut: common) }
    section("COMMON OPTIONS")
    var told = Set<String>()
    for argument in commands.flatMap(Argument.all)
    where common.contains(argument.synopsis) && told.insert(argument.synopsis).inserted {
      self.argument(argument)
    }
    environment()
    section("EXIT STATUS")
    for status in ExitStatus.allCases {
      if let meaning = status.meaning { item("\(status.rawValue)", meaning) }
    }
    section("SEE ALSO")
    line(".BR sqlite3 (1)")
  }

  /// The options that most commands have.
  private static func commonOptions(of commands: [any ParsableCommand.Type]) -> Set<String> {
    let counts = commands.flatMap(Argument.all).reduce(into: [:]) {
      $0[$1.synopsis, default: 0] += 1
    }
    return Set(counts.filter { $0.value > commands.count / 2 }.keys)
  }

  private mutating func command(
    _ command: any ParsableCommand.Type,
    leavingOut common: Set<String>
  ) {
    let configuration = command.configuration
    line(
      ".SS \"\(Self.escaped(configuration.usage ?? "snip \(configuration.commandName ?? "")"))\""
    )
    line(Self.escaped(configuration.abstract))
    discussion(configuration.discussion)
    for argument in Argument.all(of: command) where !common.contains(argument.synopsis) {
      self.argument(argument)
    }
  }

  private mutating func environment() {
    section("ENVIRONMENT")
    item("SNIP_STORE", "The file of the store, where --store names none.")
    item(
      "SNIP_PAGER, PAGER",
      "The program that shows a long text on a terminal. `cat` stands for none. "
        + "Without either it is less, where that is installed, with LESS=FRX."
    )
    item(
      "VISUAL, EDITOR",
      "The editor of `snip edit` and of `snip browse`, the first that is set; else nano or vi."
    )
    item("NO_COLOR", "Set to anything: nothing is coloured, unless --color says so.")
    item(
      "CLICOLOR_FORCE",
      "Set to anything but 0: output is coloured in a file or a pipe too. NO_COLOR goes before it."
    )
    item("CLICOLOR", "Set to 0: nothing is coloured on a terminal either.")
    item("COLUMNS", "The width to draw for, where there is no terminal to ask.")
    item("XDG_DATA_HOME", "Where the store is by default. (default: ~/.local/share)")
  }

  private mutating func argument(_ argument: Argument) {
    item(argument.synopsis, argument.abstract)
  }

  // MARK: - Marks

  private mutating func section(_ name: String) {
    line(".SH \"\(name)\"")
  }

  private mutating func item(_ head: String, _ body: String) {
    line(".TP")
    line(".B \(Self.escaped(head))")
    line(Self.escaped(body))
  }

  /// Paragraphs, with indented lines kept as they are.
  private mutating func discussion(_ text: String) {
    line(".PP")
    var isVerbatim = false
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if part.hasPrefix("  ") != isVerbatim {
        isVerbatim.toggle()
        line(isVerbatim ? ".nf" : ".fi")
      }
      line(part.isEmpty ? ".PP" : Self.escaped(String(part)))
    }
    if isVerbatim { line(".fi") }
  }

  private mutating func line(_ text: String) {
    self.text += text + "\n"
  }

  /// Escapes a text for `man`.
  private static func escaped(_ text: some StringProtocol) -> String {
    let text = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("\"", with: "\\(dq")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}

/// An argument, as the parser describes it.
private struct Argument: Decodable {
  private struct Name: Decodable {
    let kind: String
    let name: String

    var spelling: String { kind == "long" ? "--\(name)" : "-\(name)" }
  }

  private struct Tool: Decodable {
    struct Command: Decodable {
      let arguments: [Argument]?
    }

    let command: Command
  }

  private let kind: String
  private let shouldDisplay: Bool
  private let isRepeating: Bool
  private let names: [Name]?
  private let valueName: String?
  private let defaultValue: String?
  private let description: String?

  private enum CodingKeys: String, CodingKey {
    case kind, shouldDisplay, isRepeating, names, valueName, defaultValue
    case description = "abstract"
  }

  /// All arguments of a command, in the order of `--help`.
  static func all(of command: any ParsableCommand.Type) -> [Argument] {
    // The parser made it, so it can be read.
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    return (tool?.command.arguments ?? []).filter(\.shouldDisplay)
  }

  /// The form in which it is written.
  var synopsis: String {
    let value = valueName.map { "<\($0)>" } ?? ""
    guard kind != "positional" else { return value + (isRepeating ? " ..." : "") }
    let spellings = (names ?? []).map(\.spelling).joined(separator: ", ")
    return kind == "flag" ? spellings : "\(spellings) \(value)"
  }

  var abstract: String {
    let value = kind == "flag" ? nil : defaultValue.map { "(default: \($0))" }
    return [description, value].compactMap(\.self).joined(separator: " ")
  }
}
