import TerminalKit

/// What a command has to work with.
struct CommandContext: Sendable {
  let console: Console
  let interrupts: Interrupts
  let stores: OpenStores
  let environment: [String: String]
}
