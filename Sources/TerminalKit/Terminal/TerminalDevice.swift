import CProcess
import Foundation

/// There is no terminal that a screen can be drawn on.
package struct NoTerminalError: Error {}

/// Where a screen is drawn.
package protocol ScreenDevice {
  /// The size at this moment.
  var size: ScreenSize { get }

  /// Takes the device over; doing so once more does no harm.
  func enter()

  /// Leaves the device as it was.
  func leave()

  /// Stops the process until its shell lets it go on, with the device left meanwhile.
  func suspend()
}

/// What a terminal is asked about itself; its answers come as keys do, if at all.
enum TerminalQuestions {
  /// The number of the picture that kitty is asked about.
  static let kittyNumber = 4031

  /// Whether it shows pictures as kitty does, and what else it can do: sixels, say.
  static let pixels =
    "\u{1B}_Gi=\(kittyNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
}

/// The terminal of this process while a screen is drawn on it.
package final class TerminalDevice: ScreenDevice {
  /// The alternate screen without a cursor, lines that end where they end, pastes told from keys;
  /// and the question whether frames can be shown when they are complete.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[?2026$p"
  /// All of it undone.
  private static let leaving =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// Buttons and the wheel of the mouse are told, in numbers of any size.
  private static let enteringMouse = "\u{1B}[?1000h\u{1B}[?1006h"
  private static let leavingMouse = "\u{1B}[?1006l\u{1B}[?1000l"

  /// Where keys come from.
  private let input = STDIN_FILENO
  /// Where frames go.
  private let output = STDOUT_FILENO
  /// What the terminal was set to when the program was started.
  private var settings: termios?
  private let takesMouse: Bool
  /// What is asked of the terminal once.
  private var questions: String

  /// Finds the terminal that a program was started on.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - takesMouse: Whether the mouse is this program's, and not the terminal's. The default is no.
  ///   - asksForPixels: Whether to ask which pixels the terminal shows. The default is no.
  /// - Throws: ``NoTerminalError`` unless standard input and output are terminals, and ones that can
  ///   be drawn on.
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

  /// Takes the terminal over; from now on it is left in order however the process ends, but for
  /// `kill -9`.
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

  /// Leaves the terminal as it was.
  package func leave() {
    snippet_terminal_guard_restore()
  }

  /// Leaves the terminal of this process as it was; for a process that is about to end.
  package static func leaveAtOnce() {
    snippet_terminal_guard_restore()
  }

  /// Stops the process until its shell lets it go on, with the terminal in order meanwhile.
  package func suspend() {
    leave()
    Self.stopProcess()
    enter()
  }

  /// Stops the process until its shell lets it go on.
  static func stopProcess() {
    // This thread may have the signal blocked, as those have that serve queues.
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

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    let sink = FileDescriptorSink(descriptor: output)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        // A terminal that is gone is found out by the next frame.
        (try? sink.write(bytes)) ?? bytes.count
      }
      rest = rest.dropFirst(count)
    }
  }
}
