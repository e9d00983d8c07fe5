import SnipCore
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The browser without its terminal: keys go in, frames come out.
@MainActor
final class BrowseScreen {
  /// The part of the screen that takes keys.
  enum Mode {
    case list
    case prompt(Prompt)
    case pages(Pager)
    case picture(PictureView)

    /// The opened snippet, as it was when it was read; `nil` when none is open.
    var opened: SnippetRow? {
      switch self {
      case .list, .prompt: nil
      case .pages(let pager): pager.row
      case .picture(let view): view.row
      }
    }
  }

  /// A wish to the owner of the terminal.
  enum Wish: Equatable {
    case quit
    case interrupt
    case suspend
    case redraw
  }

  /// Called when the frame may look different.
  var changeHandler: (() -> Void)?
  /// Leaves the terminal to other programs while some work runs; `nil` where there is no terminal.
  var terminalLender: ((@MainActor () async -> Void) async -> Void)?

  let store: SnippetStore
  let surroundings: BrowseSurroundings
  var order: SnippetOrder
  /// The cache, the loads and the workers of all parts of the screen.
  let pipeline: LoadPipeline
  /// The snippets below each other.
  let rows: BrowseList
  /// The snippets beside each other; `nil` while they are below each other.
  var gallery: BrowseList?
  /// More of the selected snippet; `nil` on a narrow screen.
  var pane: BrowsePane?
  var isUpdatingPane = false
  let search: SnippetSearch
  var mode = Mode.list {
    didSet {
      // A snippet that is still being opened would appear during or after the typing.
      if case .prompt = mode { openingNumber += 1 }
    }
  }
  /// The conditions of the list, besides the search.
  var filter: SnippetFilter
  /// The text of the search; empty when there is none.
  var query = ""
  /// The list on show without a search.
  var snippets: SnippetList
  /// The results of the search; `nil` without one.
  var results: SearchResults? {
    didSet {
      // A search can fail without a change of its rows.
      resultsObservation = results?.observeChanges { [weak self] in
        Task { @MainActor in
          self?.explainEmptiness()
          self?.changeHandler?()
        }
      }
    }
  }
  /// The reason why nothing is on show; `nil` where something is.
  var emptiness: Emptiness?
  /// Finds out that reason.
  var explanation: Task<EmptinessReason?, Never>?
  /// The reason why nothing can be changed; `nil` where it can.
  var readOnlyReason: String? {
    didSet {
      guard let readOnlyReason else { return }
      message = "Nothing can be changed here: \(TerminalText(readOnlyReason))."
    }
  }
  /// The message about the last action, until the next key.
  var message = ""
  /// The marked snippets, on which keys act in place of the selected one.
  var marks: Set<SnippetID> = [] {
    didSet { if marks != oldValue { list.marks = marks } }
  }
  /// Whether counters are shown.
  var showsCounters = false
  /// Bytes to write to the terminal once, besides frames.
  var outgoing: [UInt8] = []
  /// The recording that is playing.
  var playing: NowPlaying?
  /// The recording that will play once it has been copied.
  var starting: NextPlaying?
  /// The form of opened pictures in pixels; `nil` for symbols.
  var pixels: PictureForm?
  /// The copies for other programs.
  let copies = PrivateCopies()
  /// The number of the snippet opened last; earlier ones come too late.
  var openingNumber = 0
  /// Whether the opened text is being wrapped to another size.
  var isFitting = false
  /// Whether the opened snippet is being compared with the store.
  var isFollowingOpened = false
  /// Whether the opened snippet may have changed.
  var mayOpenedDiffer = false
  /// The last click, for the one that follows it.
  var lastClick: (position: Int, instant: ContinuousClock.Instant)?
  /// Carries out and undoes the changes of keys.
  let editor: SnippetEditor
  /// The number of commands that have failed.
  var failureCount = 0
  /// The reason of the last failure.
  var lastFailure = ""
  /// Whether a text is being edited, for which there is only one terminal.
  var isEditing = false
  /// Whether the screen is no longer visible.
  var isEnding = false
  /// Failed changes since the end of the screen, and a text that is not saved, until a key shows
  /// that the user has read this.
  var losses: [String] = []
  private(set) var size: ScreenSize
  private(set) var frameTimes = FrameTimes()
  var keyRepeat = KeyRepeat()
  var work = BrowseWork()
  private var resultsObservation: ChangeObservation?

  /// Shows a list of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - filter: The conditions of the list.
  ///   - order: The order of the list.
  ///   - size: The screen.
  ///   - surroundings: Threads, clock and limits.
  init(
    store: SnippetStore,
    filter: SnippetFilter = .all,
    order: SnippetOrder = .newestFirst,
    size: ScreenSize = .usual,
    surroundings: BrowseSurroundings = BrowseSurroundings()
  ) {
    self.store = store
    self.filter = filter
    self.order = order
    self.size = size
    self.surroundings = surroundings
    pixels = surroundings.pixels
    search = SnippetSearch(store)
    editor = SnippetEditor(store)
    snippets = store.list(filter, order: order)
    pipeline = LoadPipeline(
      source: surroundings.drawing.source(of: store),
      configuration: surroundings.limits,
      environment: surroundings.loaderEnvironment()
    )
    rows = BrowseList(
      Self.loader(of: snippets, pipeline, surroundings.drawing.rules, surroundings, editor),
      layout: ScreenParts(size, showsCounters: false).layout(.list),
      drawing: surroundings.drawing
    )
    follow(rows)
    layOut()
    editor.failureHandler = { [weak self] _, _, error in
      self?.failureCount += 1
      self?.lastFailure = ErrorReport(error).message?.description ?? ""
      self?.tell(error)
    }
    explainEmptiness()
  }

  /// Lays everything out for another screen.
  func resize(to size: ScreenSize) {
    self.size = size.clamped
    layOut()
    switch mode {
    case .pages: fitOpened()
    case .picture(let view): drawAgain(view)
    case .list, .prompt: break
    }
  }

  /// Takes the bytes to write to the terminal once.
  func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Draws the frame.
  func frame() -> Frame {
    switch mode {
    case .pages(let pager): pager.frame(size, message: message)
    case .picture(let view): view.frame(size, message: message)
    case .list, .prompt: Frame(size: size, lines: listLines)
    }
  }

  /// Notes the time to make a frame, from the keys to the bytes to write.
  func noteFrameTime(_ duration: Duration) {
    frameTimes.note(duration)
  }

  /// Ends all work.
  func close() {
    stopPlaying()
    copies.end()
    search.cancel()
    explanation?.cancel()
    results?.cancel()
    gallery?.close()
    pane?.close()
    rows.close()
  }
}

/// The times taken to make frames.
struct FrameTimes {
  /// The number of recent times kept.
  static let limit = 512

  private var times: [Duration] = []
  private var next = 0

  /// Notes the time of a frame.
  mutating func note(_ time: Duration) {
    if times.count < Self.limit {
      times.append(time)
    } else {
      times[next] = time
      next = (next + 1) % Self.limit
    }
  }

  /// The 99th percentile of the times; zero before the first.
  var p99: Duration {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[(sorted.count * 99 - 1) / 100]
  }
}
