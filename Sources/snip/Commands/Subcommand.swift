import ArgumentParser
import SnipCore

/// A command that does its work in a context: parses, calls the library, prints.
protocol ContextCommand: AsyncParsableCommand {
  /// Whether the command looks for interrupts and has something to tidy up or to tell when there is
  /// one; all others end at once.
  static var handlesInterrupts: Bool { get }

  /// When to colour what it prints.
  var colorChoice: ColorChoice { get }

  /// Does what the command is for.
  ///
  /// - Parameter context: What the command has to work with.
  /// - Throws: Whatever ends the command with another status than 0.
  func run(in context: CommandContext) async throws
}

extension ContextCommand {
  static var handlesInterrupts: Bool { false }
}

/// A command that prints for people, and as JSON for programs.
protocol Subcommand: ContextCommand {
  /// How it prints.
  var output: OutputOptions { get }
}

extension Subcommand {
  var colorChoice: ColorChoice { output.color.choice }
}
