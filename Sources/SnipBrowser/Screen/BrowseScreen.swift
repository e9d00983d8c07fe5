import Foundation
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The browser without its terminal: keys go in, frames come out.
///
/// It gives keys to its parts, each of which owns its state, and draws what they show.
@MainActor
final class BrowseScreen {
  /// A request to the owner of the terminal.
  enum Wish: Equatable {
    case quit
    case interrupt
    case suspend
    case redraw
  }

  let surroundings: BrowseSurroundings
  let work = BrowseWork()
  /// The list, the gallery and the pane.
  let lists: BrowseLists
  /// The filter, the order and the query of the rows on show.
  let listing: BrowseListing
  /// The snippet that covers the list.
  let opened: OpenedSnippet
  let changes: BrowseChanges
  /// The texts that are not in the store yet, and what is asked about them.
  let kept: KeptTexts
  let editing: TextEditing
  let player: BrowsePlayer
  let clipboard: TerminalClipboard

  /// The line that is being typed; `nil` if there is none.
  var prompt: Prompt? {
    didSet {
      // It would come in the midst of what is typed, or after it.
      if prompt != nil { opened.giveUpOpening() }
    }
  }
  /// The question that the next key answers; `nil` if there is none.
  var question: DeletionQuestion?
  /// The name of the store, safe to print.
  let storeName: String
  /// The state of the synchronization with other devices, in words; empty where there is none.
  var syncWords = ""
  /// The reason why nothing can be changed; `nil` if it can.
  var readOnlyReason: String? {
    didSet {
      if let readOnlyWords { work.message = readOnlyWords }
    }
  }
  /// The same as a sentence, safe to print.
  var readOnlyWords: String? {
    readOnlyReason.map { "Nothing can be changed here: \(TerminalText($0))." }
  }
  /// The last click, for the one that follows it.
  var lastClick: (position: Int, instant: ContinuousClock.Instant)?
  var keyRepeat = KeyRepeat()
  private(set) var frameTimes = FrameTimes()

  /// Shows a list of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - filter: The conditions for the list.
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
    self.surroundings = surroundings
    let name = store.url?.lastPathComponent ?? "in memory"
    storeName = TerminalText(name, lines: .folded).description
    let editor = SnippetEditor(store)
    let snippets = store.list(filter, order: order)
    lists = BrowseLists(snippets, of: store, size: size, surroundings, editor, work)
    listing = BrowseListing(snippets, of: store, filter, order, in: lists, work)
    opened = OpenedSnippet(of: store, surroundings, listing, lists, work)
    changes = BrowseChanges(in: store, by: editor, listing, lists, work)
    kept = KeptTexts(of: store, by: editor, lists, opened, work)
    editing = TextEditing(in: store, kept, work, now: surroundings.now)
    player = BrowsePlayer(of: store, work)
    clipboard = TerminalClipboard(of: store, work)
    lists.changeHandler = { [weak self] in
      self?.listing.explainEmptiness()
      self?.opened.follow()
      self?.work.changeHandler?()
    }
    changes.refusalHandler = { [weak self] prompt in
      if let self, showsList { self.prompt = prompt }
    }
    changes.questionHandler = { [weak self] question in
      // It would be answered unseen.
      if let self, showsList, lists.parts.hasStatus { self.question = question }
    }
    editing.pagerHandler = { [weak self] pager in self?.show(pager) }
    kept.pagerHandler = { [weak self] pager in self?.show(pager) }
    kept.isTyping = { [weak self] in self?.prompt != nil }
    listing.explainEmptiness()
  }

  /// The rows that keys move in.
  var list: BrowseList { lists.list }
  var size: ScreenSize { lists.size }
  /// The place in which keys of the list act.
  var place: ListPlace {
    ListPlace(isGallery: lists.gallery != nil, isTrash: listing.filter.isInTrash)
  }
  /// Whether keys go to the list.
  var showsList: Bool { opened.content == nil && prompt == nil }

  /// Lays everything out for another screen.
  func resize(to size: ScreenSize) {
    lists.resize(to: size)
    opened.resize()
  }

  /// Shows a text over the whole screen.
  func show(_ pager: Pager) {
    (prompt, question) = (nil, nil)
    opened.show(pager)
  }

  /// Draws the screen.
  func frame() -> Frame {
    let place = opened.place(isPlaying: player.playing?.id == opened.content?.row?.id)
    return switch opened.content {
    case .pages(let pager): pager.frame(size, message: work.message, place)
    case .picture(let view): view.frame(size, message: work.message, place)
    case nil: Frame(size: size, lines: listLines)
    }
  }

  /// Notes the time that it took to make a frame, from the keys to its bytes.
  func noteFrameTime(_ duration: Duration) {
    frameTimes.note(duration)
  }

  /// Waits until all changes are made, see ``BrowseWork/finishChanges(isInterrupted:)``.
  func finishChanges(isInterrupted: Bool) async -> LostChangesError? {
    player.stop()
    let lost = await work.finishChanges(isInterrupted: isInterrupted)
    await kept.close()
    return lost
  }

  /// Ends all work.
  func close() {
    player.close()
    listing.close()
    lists.close()
  }
}

/// The times that it took to make frames.
struct FrameTimes {
  /// The number of times that are kept.
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

  /// The 99th percentile; zero before the first frame.
  var p99: Duration {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[(sorted.count * 99 - 1) / 100]
  }
}
