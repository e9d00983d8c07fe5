import SnipCore
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The browser without its terminal: keys go in, frames come out.
@MainActor
final class BrowseScreen {
  /// What the keys go to.
  enum Mode {
    case list
    case prompt(Prompt)
    case pages(Pager)
    case picture(PictureView)

    /// The snippet that is opened, as it was when it was read; `nil` when none is.
    var opened: SnippetRow? {
      switch self {
      case .list, .prompt: nil
      case .pages(let pager): pager.row
      case .picture(let view): view.row
      }
    }
  }

  /// What the owner of the terminal is asked for.
  enum Wish: Equatable {
    case quit
    case interrupt
    case suspend
    case redraw
  }

  /// Called when another frame may have come to look different.
  var changeHandler: (() -> Void)?
  /// Leaves the terminal to other programs for as long as some work takes; `nil` where there is
  /// none to leave.
  var terminalLender: ((@MainActor () async -> Void) async -> Void)?

  let store: SnippetStore
  let surroundings: BrowseSurroundings
  var order: SnippetOrder
  /// The cache, the loads and the workers of all parts of the screen.
  let pipeline: LoadPipeline
  /// The snippets below each other.
  let rows: BrowseList
  /// The snippets beside each other; `nil` while they stand below each other.
  var gallery: BrowseList?
  /// More of the selected snippet; `nil` where the screen is not wide.
  var pane: BrowsePane?
  var isUpdatingPane = false
  let search: SnippetSearch
  var mode = Mode.list {
    didSet {
      // What is still being opened would come in the midst of what is typed, or after it.
      if case .prompt = mode { openingNumber += 1 }
    }
  }
  /// Which snippets the list holds, but for the search.
  var filter: SnippetFilter
  /// What is searched for; empty when nothing is.
  var query = ""
  /// What is on show where nothing is searched for.
  var snippets: SnippetList
  /// What is on show of a search; `nil` when nothing is searched for.
  var results: SearchResults? {
    didSet {
      // A search can fail without another row on show.
      resultsObservation = results?.observeChanges { [weak self] in
        Task { @MainActor in
          self?.explainEmptiness()
          self?.changeHandler?()
        }
      }
    }
  }
  /// Why nothing is on show; `nil` where something is.
  var emptiness: Emptiness?
  /// Finds out why.
  var explanation: Task<EmptinessReason?, Never>?
  /// Why nothing can be changed; `nil` where it can.
  var readOnlyReason: String? {
    didSet {
      guard let readOnlyReason else { return }
      message = "Nothing can be changed here: \(TerminalText(readOnlyReason))."
    }
  }
  /// What has just been done, or why not; until the next key.
  var message = ""
  /// The snippets that keys act on in place of the selected one.
  var marks: Set<SnippetID> = [] {
    didSet { if marks != oldValue { list.marks = marks } }
  }
  /// Whether counters are shown.
  var showsCounters = false
  /// What is to be written to the terminal once, beside frames.
  var outgoing: [UInt8] = []
  /// The recording that is being played.
  var playing: NowPlaying?
  /// The recording that is to be played once it has been copied.
  var starting: NextPlaying?
  /// The pixels that opened pictures are drawn in; `nil` for symbols.
  var pixels: PictureForm?
  /// The copies that other programs were given.
  let copies = PrivateCopies()
  /// The number of what was opened last; what was opened before it comes too late.
  var openingNumber = 0
  /// Whether the opened text is being wrapped to another size.
  var isFitting = false
  /// Whether it is being looked at what has become of the opened snippet.
  var isFollowingOpened = false
  /// Whether the opened snippet may be another by now.
  var mayOpenedDiffer = false
  /// The last click, for the one that follows it.
  var lastClick: (position: Int, instant: ContinuousClock.Instant)?
  /// Carries out what keys change, and takes it back.
  let editor: SnippetEditor
  /// How many commands have failed.
  var failureCount = 0
  /// Why the last one did.
  var lastFailure = ""
  /// Whether a text is being edited: there is one terminal to do it on.
  var isEditing = false
  /// Whether nobody sees the screen any more.
  var isEnding = false
  /// What could not be changed since then, and a text that is not saved until a key shows that this
  /// was read.
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
  ///   - filter: Which snippets the list holds.
  ///   - order: What comes first.
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

  /// Takes what is to be written to the terminal once.
  func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Draws what is on show.
  func frame() -> Frame {
    switch mode {
    case .pages(let pager): pager.frame(size, message: message)
    case .picture(let view): view.frame(size, message: message)
    case .list, .prompt: Frame(size: size, lines: listLines)
    }
  }

  /// Notes how long it took to make a frame, from the keys to what is to be written.
  func noteFrameTime(_ duration: Duration) {
    frameTimes.note(duration)
  }

  /// Ends what goes on.
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

/// How long frames took to be made.
struct FrameTimes {
  /// How many of the last are kept.
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

  /// The time that of a hundred frames one takes longer than; zero before the first.
  var p99: Duration {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[(sorted.count * 99 - 1) / 100]
  }
}
