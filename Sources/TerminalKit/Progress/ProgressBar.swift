import SnippetBase

/// Shows the progress of long work on standard error.
///
/// On a terminal, one line is redrawn at most ten times a second, and erased at the end. Elsewhere
/// nothing is shown, unless plain lines are requested.
package final class ProgressBar: Sendable {
  /// A way to show progress.
  package enum Style: String, CaseIterable, Sendable {
    /// A redrawn line on a terminal, nothing elsewhere.
    case auto

    /// A new line every five seconds, and one at the end.
    case plain

    /// Nothing.
    case silent = "none"
  }

  private enum Form {
    case redrawn, plain, silent
  }

  private struct State {
    var progress = WorkProgress()
    var lastShown: ContinuousClock.Instant?
    var isOnScreen = false
    var isOver = false
  }

  private static let redrawInterval = Duration.milliseconds(100)
  private static let plainInterval = Duration.seconds(5)
  private static let eraseToEndOfLine = "\u{1B}[K"

  private let title: String
  private let messages: MessageStream
  private let form: Form
  private let now: @Sendable () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant
  private let state = Lock(State())

  /// Makes a progress bar; nothing is shown before the first update.
  ///
  /// - Parameters:
  ///   - title: The work, such as “Importing”.
  ///   - messages: Standard error.
  ///   - style: The way to show progress. By default it is only shown on a terminal.
  ///   - now: Reads the clock.
  package init(
    title: String,
    on messages: MessageStream,
    style: Style = .auto,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.title = title
    self.messages = messages
    self.now = now
    start = now()
    form =
      switch style {
      case .auto: messages.device.canRedraw ? .redrawn : .silent
      case .plain: .plain
      case .silent: .silent
      }
  }

  /// Updates the progress, and shows it if it is time to.
  package func update(_ progress: WorkProgress) {
    state.withLock { state in
      guard form != .silent, !state.isOver else { return }
      state.progress = progress
      let time = now()
      let interval = form == .plain ? Self.plainInterval : Self.redrawInterval
      // Plain lines start one interval late, so short work prints only its end.
      let last = state.lastShown ?? (form == .plain ? start : nil)
      if let last, last.duration(to: time) < interval { return }
      state.lastShown = time
      show(&state, at: time)
    }
  }

  /// Prints a line above the bar, such as the name of a file that could not be read.
  ///
  /// - Parameter line: The line, safe to print.
  package func writeLine(_ line: String) {
    state.withLock { state in
      let wasOnScreen = state.isOnScreen
      erase(&state)
      messages.writeLine(line)
      if wasOnScreen, !state.isOver { show(&state, at: now()) }
    }
  }

  /// Ends the display: the bar is erased, or a last plain line is printed.
  package func finish() {
    state.withLock { state in
      guard !state.isOver else { return }
      erase(&state)
      state.isOver = true
      if form == .plain { show(&state, at: now()) }
    }
  }

  /// Ends the display, and leaves the progress so far on the screen.
  package func interrupt() {
    state.withLock { state in
      guard !state.isOver, form != .silent else { return }
      if form == .plain || state.isOnScreen {
        show(&state, at: now())
        if form == .redrawn { messages.writeLine() }
      }
      state.isOnScreen = false
      state.isOver = true
    }
  }

  private func show(_ state: inout State, at time: ContinuousClock.Instant) {
    let line = ProgressLine(
      title: title,
      progress: state.progress,
      elapsed: start.duration(to: time)
    )
    if form == .plain {
      messages.writeLine(line.text(fitting: .max))
    } else {
      // The last columns stay free for the ^C that a terminal prints at the cursor; in the last
      // column it would start a new line.
      let text = line.text(fitting: max(0, messages.device.width - 3))
      messages.write("\r\(text)\(Self.eraseToEndOfLine)")
      state.isOnScreen = true
    }
  }

  private func erase(_ state: inout State) {
    guard state.isOnScreen else { return }
    messages.write("\r\(Self.eraseToEndOfLine)")
    state.isOnScreen = false
  }
}
