import ArgumentParser

/// Whether a command colours its output.
struct ColorOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("Colour: auto (on a terminal), always or never.", valueName: "when")
  )
  var choice = ColorChoice.auto
}

/// The choice of when to colour output.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  /// Follows `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, and otherwise colours on a terminal.
  case auto
  case always, never

  /// The environment variables that express this choice, whatever they were before.
  ///
  /// So the choice reaches everything that asks them: each stream, drawn pictures, a pager.
  ///
  /// - Parameter environment: The variables.
  /// - Returns: The variables with the choice.
  func applied(to environment: [String: String]) -> [String: String] {
    var environment = environment
    switch self {
    case .auto: break
    case .always:
      environment["NO_COLOR"] = nil
      environment["CLICOLOR_FORCE"] = "1"
    case .never:
      environment["NO_COLOR"] = "1"
      environment["CLICOLOR_FORCE"] = nil
    }
    return environment
  }
}
