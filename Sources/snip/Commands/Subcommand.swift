import ArgumentParser

/// A command that does its work in a context: parses, calls the library, prints.
protocol ContextCommand: AsyncParsableCommand {
  /// Whether the command handles interrupts, because it has something to tidy up or to report then;
  /// all others end at once.
  static var handlesInterrupts: Bool { get }

  /// The choice of colours for its output.
  var colorChoice: ColorChoice { get }

  /// Runs the command.
  ///
  /// - Parameter context: The surroundings of the command.
  /// - Throws: Any error that ends the command with a status other than 0.
  func run(in context: CommandContext) async throws
}

extension ContextCommand {
  static var handlesInterrupts: Bool { false }
}

/// A command that prints for people, and as JSON for programs.
protocol Subcommand: ContextCommand {
  /// The form of its output.
  var output: OutputOptions { get }
}

extension Subcommand {
  var colorChoice: ColorChoice { output.color.choice }
}
