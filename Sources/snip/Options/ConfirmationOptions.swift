import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import TerminalKit

/// Whether a command that replaces or destroys asks first.
///
/// It asks a user at a terminal. A script, a pipe and a timer are not asked: they cannot answer,
/// and calling the command says what they want.
struct ConfirmationOptions: ParsableArguments {
  @Flag(
    name: [.customShort("y"), .customLong("yes")],
    help: "Do not ask. (default: ask on a terminal)"
  )
  var isGiven = false

  /// Asks, unless an option says not to or there is no user to answer.
  ///
  /// - Parameters:
  ///   - question: The question, safe to print.
  ///   - context: The surroundings of the command.
  /// - Throws: ``NotConfirmedError`` for any answer but yes; ``InterruptedError``.
  func require(_ question: String, in context: CommandContext) async throws {
    let messages = context.console.messages
    guard !isGiven, context.input.isTerminal, messages.device.isTerminal else { return }
    messages.write("\(question) [y/N] ")
    let input = WaitingInput(context.input.descriptor, interrupts: context.interrupts)
    var answer = Data()
    reading: while !answer.contains(UInt8(ascii: "\n")) {
      switch try await OwnThreads.result({ try input.next(within: .seconds(60)) }) {
      case .bytes(let bytes): answer += bytes
      case .silence: continue
      case .end: break reading
      }
    }
    if !answer.contains(UInt8(ascii: "\n")) { messages.writeLine() }
    try context.interrupts.throwIfRequested()
    let word = String(decoding: answer, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines
    )
    guard ["y", "yes"].contains(word.lowercased()) else { throw NotConfirmedError() }
  }
}

/// The user did not say yes.
struct NotConfirmedError: StatusError {
  var status: ExitStatus { .failure }
  var message: String { "not confirmed; nothing was changed" }
  var hint: String? { nil }
}
