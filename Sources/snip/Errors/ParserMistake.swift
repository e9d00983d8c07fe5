import ArgumentParser
import SnipCore

/// A mistake in the command line that the parser found, in the words of all other errors.
struct ParserMistake: StatusError, Equatable {
  let message: String
  let hint: String?
  let status: ExitStatus

  /// Rewrites an error of the parser.
  ///
  /// - Parameters:
  ///   - text: The message of the parser, without what follows it.
  ///   - fullText: All that the parser would print: the message, the help of the argument, and the
  ///     usage of the command.
  ///   - status: The status to end with.
  init(_ text: String, in fullText: String, status: ExitStatus) {
    let command = Command(fullText.dropFirst("Error: \(text)\n".count))
    let told = Self.told(UsageMistake.withoutFarGuess(in: text), of: command)
    (message, hint) = (told.message, told.hints.joined(separator: "\n"))
    self.status = status
  }

  /// The parts of what the parser prints behind its message.
  private struct Command {
    /// Its name, such as `snip list`.
    var name = "snip"
    /// The usage, such as `snip list [options]`.
    var usage = ""
    /// The help of the wrong argument; `nil` if there is none.
    var help: String?

    init(_ text: Substring) {
      for line in text.split(separator: "\n") {
        if let match = line.wholeMatch(of: /Help:  (\S+(?: <[^>]+>)?)  (.*)/) {
          help = "\(match.1): \(match.2)"
        } else if let match = line.wholeMatch(of: /Usage: (.*)/) {
          usage = String(match.1)
        } else if let match = line.wholeMatch(of: #/  See '(.+) --help' for more information\./#) {
          name = String(match.1)
        } else if !usage.isEmpty {
          usage += " " + line.drop { $0 == " " }
        }
      }
    }

    var helpHints: [String] { help.map { [$0] } ?? [explanation] }
    var usageHint: String { "Write it as: \(usage)" }
    var explanation: String { "`\(name) --help` explains it." }
  }

  private static func told(
    _ text: String,
    of command: Command
  ) -> (message: String, hints: [String]) {
    if let match = text.wholeMatch(of: /Unknown option '([^']+)'(?:\. Did you mean '([^']+)'\?)?/) {
      let guess = match.2.map { "Did you mean \($0)? " } ?? ""
      return (
        "there is no option ‘\(match.1)’ of `\(command.name)`",
        ["\(guess)`\(command.name) --help` lists the options."]
      )
    }
    if let match = text.wholeMatch(of: /Missing expected argument '(<[^>]+>).*'/) {
      return ("\(match.1) is missing", command.helpHints + [command.usageHint])
    }
    if let match = text.wholeMatch(of: /Missing value for '(\S+).*'/) {
      return ("\(match.1) needs a value", command.helpHints)
    }
    if let match = text.wholeMatch(of: /Unexpected argument '(.*)'/.dotMatchesNewlines()) {
      return ("‘\(match.1)’ is one word too many", [command.usageHint])
    }
    if let match = text.wholeMatch(of: /[0-9]+ unexpected arguments: '(.*)'/.dotMatchesNewlines()) {
      let words = match.1.replacing("', '", with: "’, ‘")
      return ("‘\(words)’ are too many words", [command.usageHint])
    }
    if let match = text.wholeMatch(
      of: /The option '(\S+)' does not take any value, but '(.*)' was specified\./
        .dotMatchesNewlines()
    ) {
      return ("\(match.1) takes no value, and ‘\(match.2)’ was given", [command.explanation])
    }
    if let match = text.wholeMatch(
      of: /Value to be set with flag '(-\S+)' had already been set with flag '(-\S+)'/
    ) {
      return ("\(match.2) and \(match.1) exclude each other", ["Give one of them."])
    }
    return toldValue(text, of: command) ?? toldOtherwise(text, of: command)
  }

  /// A value that does not fit its option or argument.
  private static func toldValue(
    _ text: String,
    of command: Command
  ) -> (message: String, hints: [String])? {
    let form =
      #/
      The\ value\ '(.*)'\ is\ invalid\ for\ '([^'\ ]+)[^']*'
      (?::\ (.*)|\.\ Please\ provide\ one\ of\ (.*))?
      /#.dotMatchesNewlines()
    guard let match = text.wholeMatch(of: form) else { return nil }
    // The type of the value says more than the parser.
    if let reason = match.3 { return toldOtherwise(String(reason), of: command) }
    if match.2 == "<id>", let range = ManyIDs.range(String(match.1)) {
      let (first, last) = (range.lowerBound, range.upperBound)
      return (
        "‘\(match.1)’ names several snippets, and `\(command.name)` takes one",
        ["One by one: for id in $(seq \(first) \(last)); do \(command.name) $id; done"]
      )
    }
    let message = "‘\(match.1)’ is not a value for \(match.2)"
    guard let values = match.4 else { return (message, command.helpHints) }
    let words = values.matches(of: /\w[\w-]*/).map { String($0.0) }
      .filter { !["the", "following", "or", "and"].contains($0) }
    return (message, ["Give one of \(words.joined(separator: ", "))."])
  }

  /// A sentence that tells the mistake, and perhaps another one with advice.
  private static func toldOtherwise(
    _ text: String,
    of command: Command
  ) -> (message: String, hints: [String]) {
    let end = text.firstRange(of: ". ")
    var message = String(end.map { text[..<$0.lowerBound] } ?? text[...])
    if message.hasSuffix(".") { message.removeLast() }
    let first = message.prefix { !$0.isWhitespace }
    // A name in capitals stays as it is.
    if first.dropFirst().allSatisfy(\.isLowercase) {
      message = message.prefix(1).lowercased() + message.dropFirst()
    }
    let advice = end.map { String(text[$0.upperBound...]) }
    return (message, [advice ?? command.explanation])
  }
}
