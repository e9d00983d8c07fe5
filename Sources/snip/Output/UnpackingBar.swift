import SnippetBase
import SnippetStorage
import TerminalKit

/// Shows how much of the archives was unpacked, before their files are imported.
final class UnpackingBar: Sendable {
  private enum State {
    case none
    case shown(ProgressBar)
    case over
  }

  private let messages: MessageStream
  private let style: ProgressBar.Style
  private let state = Lock(State.none)

  init(on messages: MessageStream, style: ProgressBar.Style) {
    (self.messages, self.style) = (messages, style)
  }

  /// Shows the progress of an archive; the first makes the bar.
  @Sendable func update(_ progress: StoreProgress) {
    let bar: ProgressBar? = state.withLock { state in
      switch state {
      case .none:
        let bar = ProgressBar(title: "Unpacking", on: messages, style: style)
        state = .shown(bar)
        return bar
      case .shown(let bar): return bar
      case .over: return nil
      }
    }
    bar?.update(progress)
  }

  /// Ends the bar, if there is one.
  func finish() {
    let bar: ProgressBar? = state.withLock { state in
      guard case .shown(let bar) = state else {
        state = .over
        return nil
      }
      state = .over
      return bar
    }
    bar?.finish()
  }
}
