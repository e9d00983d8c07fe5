import SnippetBase

/// The properties of the other end of a stream.
package struct OutputDevice: Sendable {
  /// Whether it is a terminal, rather than a file or a pipe.
  package let isTerminal: Bool

  /// Whether lines can be redrawn: it is a terminal, and `TERM` does not say that it is dumb.
  package let canRedraw: Bool

  /// Whether text may be coloured.
  package let allowsColor: Bool

  private let fallbackWidth: Int
  private let measuredGrid: @Sendable () -> TerminalGrid?

  /// Describes a device according to environment variables.
  ///
  /// `NO_COLOR` forbids colour everywhere (https://no-color.org), and `CLICOLOR_FORCE` requests it
  /// even in a pipe; otherwise only terminals that are not dumb get it. Empty variables count as
  /// unset.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the device is a terminal.
  ///   - environment: The environment variables.
  ///   - measuredGrid: Measures the terminal, if that is possible.
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
    let told = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    fallbackWidth = min(told, ScreenSize.maximum.columns)
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

  /// The columns of the terminal at this moment, or else `COLUMNS`, or else 80.
  package var width: Int { measuredGrid()?.columns ?? fallbackWidth }

  /// The lines of the terminal at this moment, or else 24.
  package var height: Int { measuredGrid()?.lines ?? ScreenSize.usual.lines }

  /// The shape of the terminal's cells at this moment, or the usual one.
  package var cell: CellShape { measuredGrid()?.cell ?? .usual }

  /// Whether the terminal reports the shape of its cells at this moment.
  package var tellsCell: Bool { measuredGrid()?.cell != nil }

  /// The columns to fit text into; `nil`, no limit, if it is not a terminal.
  package var fittingWidth: Int? { isTerminal ? width : nil }
}
