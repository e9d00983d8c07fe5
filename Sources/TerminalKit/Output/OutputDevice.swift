import SnippetBase

/// What is known about the other end of a stream.
package struct OutputDevice: Sendable {
  /// Whether a terminal is there, rather than a file or a pipe.
  package let isTerminal: Bool

  /// Whether lines can be drawn over: there is a terminal, and `TERM` does not call it dumb.
  package let canRedraw: Bool

  /// Whether text may be coloured.
  package let allowsColor: Bool

  private let fallbackWidth: Int
  private let measuredGrid: @Sendable () -> TerminalGrid?

  /// Describes a device by the customs of the environment.
  ///
  /// `NO_COLOR` forbids colour everywhere (https://no-color.org), `CLICOLOR_FORCE` asks for it even
  /// in a pipe; else it is for terminals that are not dumb. Empty variables count as not set.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the device is a terminal.
  ///   - environment: The environment variables.
  ///   - measuredGrid: Measures the terminal, if it can say.
  package init(
    isTerminal: Bool,
    environment: [String: String],
    measuredGrid: @escaping @Sendable () -> TerminalGrid? = { nil }
  ) {
    let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
    self.isTerminal = isTerminal
    self.measuredGrid = measuredGrid
    canRedraw = isTerminal && !isDumb
    allowsColor =
      (environment["NO_COLOR"] ?? "").isEmpty
      && (isForced || canRedraw && environment["CLICOLOR"] != "0")
    fallbackWidth = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  /// Describes the device behind a file descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor.
  ///   - environment: The environment variables.
  package init(descriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(descriptor) == 1, environment: environment) {
      TerminalGrid(descriptor: descriptor)
    }
  }

  /// The columns of the terminal at this moment, else `COLUMNS`, else 80.
  package var width: Int { measuredGrid()?.columns ?? fallbackWidth }

  /// The lines of the terminal at this moment, else 24.
  package var height: Int { measuredGrid()?.lines ?? ScreenSize.usual.lines }

  /// The shape of the terminal's cells at this moment, or the usual one.
  package var cell: CellShape { measuredGrid()?.cell ?? .usual }

  /// Whether the terminal tells the shape of its cells at this moment.
  package var tellsCell: Bool { measuredGrid()?.cell != nil }

  /// The columns to fit text into: those of a terminal, and no limit elsewhere.
  package var fittingWidth: Int? { isTerminal ? width : nil }
}
