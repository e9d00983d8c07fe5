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

  let store: SnippetStore
  let surroundings: BrowseSurroundings
  let order: SnippetOrder
  let list: BrowseList
  let search: SnippetSearch
  var mode = Mode.list
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
        Task { @MainActor in self?.changeHandler?() }
      }
    }
  }
  /// What has just been done, or why not; until the next key.
  var message = ""
  /// Carries out what keys change, and takes it back.
  let editor: SnippetEditor
  /// How many commands have failed.
  var failureCount = 0
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
    search = SnippetSearch(store)
    editor = SnippetEditor(store)
    let parts = ScreenParts(size)
    snippets = store.list(filter, order: order)
    let loader = SnippetLoader(
      list: snippets,
      source: surroundings.drawing.source(of: store),
      rules: surroundings.drawing.rules,
      limits: surroundings.limits,
      environment: surroundings.loaderEnvironment()
    )
    list = BrowseList(
      loader,
      layout: RowLayout(columns: size.columns, lines: parts.listHeight),
      drawing: surroundings.drawing
    )
    list.changeHandler = { [weak self] in self?.changeHandler?() }
    list.workHandler = { [weak self] in self?.start($0) }
    loader.editor = editor
    editor.failureHandler = { [weak self] _, _, error in
      self?.failureCount += 1
      self?.tell(error)
    }
  }

  /// Lays everything out for another screen.
  func resize(to size: ScreenSize) {
    self.size = size.clamped
    list.resize(
      to: RowLayout(columns: self.size.columns, lines: ScreenParts(self.size).listHeight)
    )
    switch mode {
    case .pages(var pager):
      pager.fit(self.size)
      mode = .pages(pager)
    case .picture(let view): drawAgain(view)
    case .list, .prompt: break
    }
  }

  /// Draws what is on show.
  func frame() -> Frame {
    switch mode {
    case .pages(let pager): pager.frame(size)
    case .picture(let view): view.frame(size)
    case .list, .prompt: Frame(size: size, lines: listLines)
    }
  }

  /// Notes how long it took to make a frame, from the keys to what is to be written.
  func noteFrameTime(_ duration: Duration) {
    frameTimes.note(duration)
  }

  /// Ends what goes on.
  func close() {
    search.cancel()
    results?.cancel()
    list.close()
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
