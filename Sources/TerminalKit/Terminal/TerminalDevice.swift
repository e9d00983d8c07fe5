import CProcess
import Foundation

/// No terminal is available for drawing a screen.
package struct NoTerminalError: Error {}

/// A device on which to draw a screen.
package protocol ScreenDevice {
  /// The size at this moment.
  var size: ScreenSize { get }

  /// Takes over the device; calling it again does no harm.
  func enter()

  /// Restores the device.
  func leave()

  /// Stops the process until its shell continues it; the device is restored during that time.
  func suspend()
}

/// Queries about the terminal; answers arrive like keys, if at all.
enum TerminalQuestions {
  /// The number of the picture in the query to kitty.
  static let kittyNumber = 4031

  /// Asks whether it supports kitty's pictures, and what else, such as sixels.
  static let pixels =
    "\u{1B}_Gi=\(kittyNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
}

/// The terminal of this process while a screen is drawn on it.
package final class TerminalDevice: ScreenDevice {
  /// The alternate screen without a cursor, no wrapping of lines, bracketed pastes, and the query
  /// whether frames can be held back until they are complete.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[?2026$p"
  /// Undoes all of it.
  private static let leaving =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// Reports buttons and the wheel of the mouse, with positions of any size.
  private static let enteringMouse = "\u{1B}[?1000h\u{1B}[?1006h"
  private static let leavingMouse = "\u{1B}[?1006l\u{1B}[?1000l"

  /// The source of keys.
  private let input = STDIN_FILENO
  /// The destination of frames.
  private let output = STDOUT_FILENO
  /// The settings of the terminal when the program was started.
  private var settings: termios?
  private let takesMouse: Bool
  /// The queries to send once.
  private var questions: String

  /// Finds the terminal on which the program was started.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - takesMouse: Whether this program receives the mouse instead of the terminal. The default
  ///     is `false`.
  ///   - asksForPixels: Whether to query which pixels the terminal shows. The default is `false`.
  /// - Throws: ``NoTerminalError`` unless standard input and output are terminals that can be drawn
  ///   on.
  package init(
    environment: [String: String],
    takesMouse: Bool = false,
    asksForPixels: Bool = false
  ) throws(NoTerminalError) {
    self.takesMouse = takesMouse
    questions = asksForPixels ? TerminalQuestions.pixels : ""
    let device = OutputDevice(descriptor: output, environment: environment)
    guard isatty(input) == 1, device.canRedraw else { throw NoTerminalError() }
  }

  /// The size at this moment.
  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return .usual
    }
    return ScreenSize(columns: Int(size.ws_col), lines: Int(size.ws_row)).clamped
  }

  /// Takes over the terminal.
  ///
  /// From now on it is restored however the process ends, except by `kill -9`.
  package func enter() {
    if settings == nil {
      var found = termios()
      guard tcgetattr(input, &found) == 0 else { return }
      settings = found
    }
    guard var settings else { return }
    let leaving = (takesMouse ? Self.leavingMouse : "") + Self.leaving
    leaving.withCString { bytes in
      snippet_terminal_guard_arm(output, &settings, bytes, leaving.utf8.count)
    }
    cfmakeraw(&settings)
    tcsetattr(input, TCSANOW, &settings)
    write(Self.entering + (takesMouse ? Self.enteringMouse : "") + questions)
    questions = ""
  }

  /// Restores the terminal.
  package func leave() {
    snippet_terminal_guard_restore()
  }

  /// Restores the terminal of this process, which is about to end.
  package static func leaveAtOnce() {
    snippet_terminal_guard_restore()
  }

  /// Takes back what a program has set that ended without doing so: a soft reset, the mouse, the
  /// focus, pastes, and the keys as they are at first.
  package static func resetModes() {
    write(
      "\u{1B}[!p\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?1004l\u{1B}[?2004l"
        + "\u{1B}[>4;0m\u{1B}[?1l\u{1B}>",
      to: STDOUT_FILENO
    )
  }

  /// Stops the process until its shell continues it; the terminal is restored during that time.
  package func suspend() {
    leave()
    Self.stopProcess()
    enter()
  }

  /// Stops the process until its shell continues it.
  static func stopProcess() {
    // This thread may have the signal blocked, as threads that serve queues do.
    var signals = sigset_t()
    var former = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    var action = sigaction()
    var formerAction = sigaction()
    sigaction(SIGTSTP, &action, &formerAction)
    pthread_sigmask(SIG_UNBLOCK, &signals, &former)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &former, nil)
    sigaction(SIGTSTP, &formerAction, nil)
  }

  private func write(_ text: String) { Self.write(text, to: output) }

  private static func write(_ text: String, to output: Int32) {
    var rest = Array(text.utf8)[...]
    let sink = FileDescriptorSink(descriptor: output)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        // The next frame will find out if the terminal is gone.
        (try? sink.write(bytes)) ?? bytes.count
      }
      rest = rest.dropFirst(count)
    }
  }
}
