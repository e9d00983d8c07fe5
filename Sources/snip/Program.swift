import ArgumentParser
import Foundation
import SnipCore
import TerminalKit

/// One run of the program: a command line with its surroundings.
///
/// It does not touch the process itself, so a test can run many side by side.
struct Program: Sendable {
  /// The environment variables.
  let environment: [String: String]
  /// Standard input.
  let input: CommandInput
  /// Where relative paths start; `nil` is the current folder.
  let folder: URL?
  /// The requests to end.
  let interrupts: Interrupts
  /// Makes the two streams, coloured as the environment asks.
  let console: @Sendable (_ environment: [String: String]) -> Console

  private static var commands: [CommandConfiguration] {
    Snip.configuration.subcommands.map { $0.configuration }
  }

  /// The end of a run.
  enum Ending {
    case status(ExitStatus)
    /// Nothing was done: the process is to decode for another one.
    case worker
  }

  /// Runs a command line to its end.
  ///
  /// - Parameter arguments: The arguments behind the name of the program.
  /// - Returns: The status to end with, or what the process is to do.
  func run(_ arguments: [String]) async -> Ending {
    let console = console(environment)
    if let mistake = UsageMistake(in: arguments, among: Self.commands) {
      return .status(console.report(mistake))
    }
    let command: any ParsableCommand
    do {
      command = try Snip.parseAsRoot(
        ManyWords.joined(QueryArgument.marked(BoundValues.bound(arguments)))
      )
    } catch {
      return .status(report(error, in: arguments, to: console))
    }
    if command is DecodeCommand { return .worker }
    guard let command = command as? any ContextCommand else {
      return .status(tellHelp(of: command, in: arguments, to: console))
    }
    return .status(await run(command))
  }

  private func run(_ command: any ContextCommand) async -> ExitStatus {
    let coloring = command.colorChoice.applied(to: environment)
    let context = CommandContext(
      console: console(coloring),
      input: input,
      interrupts: interrupts,
      stores: OpenStores(),
      environment: coloring,
      folder: folder
    )
    if !type(of: command).handlesInterrupts { interrupts.endAtFirstRequest() }
    var status = ExitStatus.done
    do {
      try await command.run(in: context)
    } catch {
      status = context.console.report(error)
    }
    await context.stores.close()
    return context.console.finish(with: status)
  }

  /// Prints the help of a command that does nothing else, unless it was not wanted.
  private func tellHelp(
    of command: any ParsableCommand,
    in arguments: [String],
    to console: Console
  ) -> ExitStatus {
    var command = command
    do {
      try command.run()
      return .done
    } catch {
      // The parser throws its help.
      return report(error, in: arguments, to: console)
    }
  }

  /// Reports a mistake in the command line, or prints the help or the version that the parser has
  /// thrown.
  private func report(
    _ error: any Error,
    in arguments: [String],
    to console: Console
  ) -> ExitStatus {
    let status = Snip.exitCode(for: error)
    let message = Snip.fullMessage(for: error)
    if let mistake = UsageMistake(
      in: arguments,
      among: Self.commands,
      toldAs: message,
      asHelp: status == .success
    ) {
      return console.report(mistake)
    }
    guard status != .success else {
      // Not by the parser, which does not notice that its output is full.
      do {
        try console.output.writeLine(message)
        return console.finish(with: .done)
      } catch {
        return console.report(error)
      }
    }
    return console.report(
      ParserMistake(
        Snip.message(for: error),
        in: message,
        status: ExitStatus(rawValue: status.rawValue) ?? .failure
      )
    )
  }
}
