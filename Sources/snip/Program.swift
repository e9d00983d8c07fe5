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
    /// Nothing was done: the parser prints help and the version, and runs the worker.
    case parser(Result<any ParsableCommand, any Error>)
  }

  /// Runs a command line to its end, or leaves that to the parser.
  ///
  /// - Parameter arguments: The arguments behind the name of the program.
  /// - Returns: The status to end with, or what the parser is to do.
  func run(_ arguments: [String]) async -> Ending {
    let console = console(environment)
    if let mistake = UsageMistake(in: arguments, among: Self.commands) {
      return .status(console.report(mistake))
    }
    let command: any ParsableCommand
    do {
      command = try Snip.parseAsRoot(QueryArgument.marked(arguments))
    } catch {
      return report(error, in: arguments, to: console).map(Ending.status)
        ?? .parser(.failure(error))
    }
    guard let command = command as? any ContextCommand else {
      // Help, wanted or not; or the worker.
      return UsageMistake(in: arguments, among: Self.commands, toldAs: "", asHelp: true)
        .map { .status(console.report($0)) } ?? .parser(.success(command))
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

  /// Reports a mistake in the command line; `nil` if the parser has the text.
  private func report(
    _ error: any Error,
    in arguments: [String],
    to console: Console
  ) -> ExitStatus? {
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
    // Help and the version.
    guard status != .success else { return nil }
    // A usage error repeats the arguments, which may contain the name of any file.
    console.messages.writeLine(
      TerminalText(UsageMistake.withoutFarGuess(in: message), lines: .kept).description
    )
    return ExitStatus(rawValue: status.rawValue) ?? .failure
  }
}
