import ArgumentParser

/// A subcommand: parses, calls the library, prints.
protocol Subcommand: AsyncParsableCommand {
  /// Whether the command looks for interrupts and has something to tidy up or to tell when there is
  /// one; all others end at once.
  static var handlesInterrupts: Bool { get }

  /// Does what the command is for.
  ///
  /// - Parameter context: What the command has to work with.
  /// - Throws: Whatever ends the command with another status than 0.
  func run(in context: CommandContext) async throws
}

extension Subcommand {
  static var handlesInterrupts: Bool { false }
}
