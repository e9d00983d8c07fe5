import ArgumentParser

/// Whether a command colours what it prints.
struct ColorOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("Colour: auto (on a terminal), always or never.", valueName: "when")
  )
  var choice = ColorChoice.auto
}

/// When to colour what is printed.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  /// As `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR` say, else on a terminal.
  case auto
  case always, never

  /// The variables of the environment by which this choice is made, whatever they said before.
  ///
  /// That way it reaches whatever asks them: each stream, drawn pictures, a pager.
  ///
  /// - Parameter environment: The variables.
  /// - Returns: The same but for the choice.
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
