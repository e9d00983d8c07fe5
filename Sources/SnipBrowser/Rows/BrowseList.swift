import SnippetLoading
import SnippetStorage
import TerminalKit

/// A list on the screen: its visible rows, the selected one, and the views that show them.
///
/// The views are reused all the time, whichever list they show, and so are loaded blobs.
@MainActor
final class BrowseList {
  /// Called when the list looks different.
  var changeHandler: (() -> Void)?
  /// Called with slow work to start.
  var workHandler: ((@escaping @MainActor () async throws -> Void) -> Void)?
  /// The source that brings rows and blobs into the views, whichever list they belong to.
  let source: SnippetDataSource
  /// The position of the uppermost row on screen.
  private(set) var first = 0
  /// The position of the row that keys act on.
  private(set) var selection = 0
  private(set) var layout: RowLayout
  private(set) var pool = RowPool()

  private static let unreadableRow = "This row could not be read."

  /// The marked snippets.
  var marks: Set<SnippetID> = [] {
    didSet { followFindings() }
  }

  /// The key of the list's order, whose date the rows show.
  var dateKey = SnippetOrder.Key.created {
    didSet { followFindings() }
  }

  private let drawing: any PictureDrawing
  /// The style of the title of the selected row.
  private let selectionStyle: FrameStyle
  /// The places of search matches in the rows; `nil` without a search.
  private(set) var findings: RowFindings?
  /// Whether the views are being updated, so that their reports of changes are expected.
  var isDisplaying = false
  /// The snippet at the selected position, which the selection follows.
  private var selectedID: SnippetID?
  /// The speed of the list, in rows per second.
  private(set) var speed = 0.0
  /// The views on screen, from above; `nil` for a row that cannot be read.
  private(set) var views: [RowView?] = []

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - loader: Brings rows and blobs.
  ///   - layout: The layout of rows.
  ///   - drawing: Draws their pictures.
  ///   - selectionStyle: The style of the title of the selected row.
  init(
    _ loader: SnippetLoader,
    layout: RowLayout,
    drawing: any PictureDrawing,
    selectionStyle: FrameStyle
  ) {
    source = SnippetDataSource(loader: loader)
    self.layout = layout
    self.drawing = drawing
    self.selectionStyle = selectionStyle
    register(TextRowView.self, for: .text)
    register(ImageRowView.self, for: .image)
    register(VoiceRowView.self, for: .voice)
    source.changeHandler = { [weak self] change in self?.follow(change) }
    display()
  }

  /// The number of rows.
  var count: Int { source.count }

  /// The selected row; `nil` when there is none, or it cannot be read.
  var selectedRow: SnippetRow? { source.loader.rowInMemory(at: selection) }

  // MARK: - The source

  /// Shows another list, from its start.
  ///
  /// Content of the former list that is in memory appears at once.
  ///
  /// - Parameters:
  ///   - list: The new list.
  ///   - findings: The places of search matches in its rows. The default is none.
  func show(_ list: any RowList, findings: RowFindings? = nil) {
    self.findings?.cancel()
    self.findings = findings
    source.loader.show(list)
    (first, selection, selectedID, speed) = (0, 0, nil, 0)
    display()
  }

  /// Ends the loads and takes the views back.
  func close() {
    findings?.cancel()
    findings = nil
    for view in views.compactMap(\.self) { takeBack(view) }
    views = []
    source.loader.close()
  }

  private func register<View: RowView>(_ type: View.Type, for kind: SnippetKind) {
    source.register(RowPresenter<View>.init, for: kind)
  }

  // MARK: - Moving

  /// Selects a row at a distance, and scrolls until it is on screen.
  ///
  /// - Parameters:
  ///   - rows: The distance; negative towards the start.
  ///   - speed: The speed of the list, in rows per second, without a sign.
  func move(by rows: Int, speed: Double = 0) {
    self.speed = rows < 0 ? -speed : speed
    select(selection + rows)
  }

  /// Selects a row, and scrolls until it is on screen.
  ///
  /// - Parameter position: Its position; limited to the list.
  func select(_ position: Int) {
    selection = min(max(0, position), max(0, count - 1))
    reveal()
    display()
    selectedID = selectedRow?.id
  }

  /// Selects the last row of the list, which is counted for that, and scrolls to it.
  func selectLast() {
    if !source.loader.isCounted { refresh() }
    select(.max)
  }

  /// Scrolls by a number of rows; the selection moves only as far as it must to stay on the screen.
  ///
  /// - Parameter rows: The distance; negative towards the start.
  func scroll(by rows: Int) {
    let last = layout.lastFirst(count: count)
    first = min(max(0, first + rows), last) / layout.countBeside * layout.countBeside
    select(min(max(selection, first), first + layout.wholeRows - 1))
  }

  /// The position of the row at a place of the list.
  ///
  /// - Parameters:
  ///   - line: The line, from 0.
  ///   - column: The column, from 0.
  /// - Returns: The position; `nil` where there is no row.
  func position(atLine line: Int, column: Int) -> Int? {
    let beside = column / layout.columns
    guard line >= 0, line < layout.listHeight, column >= 0, beside < layout.countBeside else {
      return nil
    }
    let position = first + line / layout.height * layout.countBeside + beside
    return position < count ? position : nil
  }

  /// The reason why the selected row lacks its blob; `nil` where nothing has failed.
  var trouble: String? {
    let place = selection - first
    guard views.indices.contains(place) else { return nil }
    return views[place].map(\.trouble) ?? Self.unreadableRow
  }

  /// Makes another attempt for the selected row, if a load failed.
  ///
  /// - Returns: Whether there is something to retry.
  func retry() -> Bool {
    guard trouble != nil else { return false }
    if let view = views[selection - first] { view.retryHandler?() } else { refresh() }
    return true
  }

  /// Notes that the list has come to rest.
  func rest() {
    guard speed != 0 else { return }
    speed = 0
    display()
  }

  /// Lays the rows out for another screen, and keeps the selected one on it.
  func resize(to layout: RowLayout) {
    guard layout != self.layout else { return }
    self.layout = layout
    first = first / layout.countBeside * layout.countBeside
    reveal()
    display()
  }

  /// Follows the list after a change: the rows on screen stay in place, and so does the selected
  /// snippet.
  func follow(_ change: ListChange) {
    first = max(0, first + change.displacement) / layout.countBeside * layout.countBeside
    source.show(visible: first..<first + layout.rows, speed: 0)
    // After a reload, look for the selected snippet among the rows in memory.
    let expected = selection + change.displacement
    let now = change.position(of: selection) ?? place(of: selectedID, near: expected) ?? expected
    selection = min(max(0, now), max(0, count - 1))
    speed = 0
    reveal()
    display()
    selectedID = selectedRow?.id
    changeHandler?()
  }

  /// Reads the list again at once, after a change by this browser.
  func refresh() {
    follow(source.loader.reloadRows())
  }

  /// The position of a snippet, if its row is in memory.
  private func place(of id: SnippetID?, near position: Int) -> Int? {
    guard let id else { return nil }
    let reach = 4 * max(16, layout.rows)
    for distance in 0...reach {
      for place in [position - distance, position + distance]
      where source.loader.rowInMemory(at: place)?.id == id {
        return place
      }
    }
    return nil
  }

  /// Scrolls as little as possible to show the whole selected row.
  private func reveal() {
    first = layout.first(revealing: selection, from: first)
  }

  // MARK: - Displaying

  /// Updates views and loads for the visible rows.
  private func display() {
    isDisplaying = true
    defer {
      isDisplaying = false
      followFindings()
    }
    source.show(visible: first..<first + layout.rows, speed: speed)
    // The end of the list leaves no empty room, and nothing is shown beyond it.
    let last = layout.lastFirst(count: source.count)
    selection = min(selection, max(0, source.count - 1))
    if first > last {
      first = last
      source.show(visible: first..<first + layout.rows, speed: speed)
    }
    let visible = first..<max(first, min(source.count, first + layout.rows))
    var former: [SnippetID: RowView] = [:]
    for view in views.compactMap(\.self) {
      if let id = source.row(in: view)?.id, former[id] == nil {
        former[id] = view
      } else {
        takeBack(view)
      }
    }
    // Rows that stay in place keep their view; the other views are freed before new ones are
    // needed.
    let kept = visible.map { position in
      source.loader.rowInMemory(at: position).flatMap { former.removeValue(forKey: $0.id) }
    }
    for view in former.values { takeBack(view) }
    views = zip(visible, kept).map { position, view in
      if let view {
        source.present(position, in: view)
        return view
      }
      return newView(at: position)
    }
    if selectedID == nil { selectedID = selectedRow?.id }
  }

  private func newView(at position: Int) -> RowView? {
    guard let type = source.viewType(at: position) as? RowView.Type else { return nil }
    let view = pool.view(of: type)
    view.changeHandler = { [weak self] in self?.viewDidChange() }
    source.present(position, in: view)
    return view
  }

  private func takeBack(_ view: RowView) {
    source.didEndDisplaying(view)
    view.changeHandler = nil
    pool.recycle(view)
  }

  /// The part of the list that is on the screen.
  var place: PlaceBar {
    PlaceBar(first: first, shown: layout.wholeRows, of: count, lines: layout.listHeight)
  }

  /// The lines of the list, at most as many as it has on the screen.
  var lines: [FrameLine] {
    var lines: [FrameLine] = []
    for start in stride(from: 0, to: views.count, by: layout.countBeside) {
      let drawn = (start..<min(views.count, start + layout.countBeside)).map(self.lines)
      guard layout.countBeside > 1 else {
        lines += drawn[0]
        continue
      }
      lines += (0..<layout.height).map { number in
        drawn.enumerated().reduce(into: FrameLine()) { line, row in
          line.pad(toWidth: row.offset * layout.columns)
          line.append(row.element[number])
        }
      }
    }
    return Array(lines.prefix(layout.listHeight))
  }

  /// The lines of a row, by its place on the screen.
  private func lines(of row: Int) -> [FrameLine] {
    let style = first + row == selection ? selectionStyle : nil
    if let view = views[row] {
      return view.lines(layout, selection: style, drawing: drawing)
    }
    var lines = Array(repeating: FrameLine(), count: layout.height)
    lines[layout.height - layout.contentHeight] =
      FrameLine("  \(Self.unreadableRow)", .faint).truncated(toWidth: layout.columns)
    return lines
  }
}

/// The idle views, kept for reuse as long as the list lives.
@MainActor
struct RowPool {
  /// The number of views made because none could be reused.
  private(set) var createdCount = 0
  /// The number of times a view was reused.
  private(set) var reusedCount = 0

  private var idle: [ObjectIdentifier: [RowView]] = [:]

  /// Takes an idle view, or makes one.
  ///
  /// - Parameter type: The type of the view.
  /// - Returns: A view that is not on show.
  mutating func view(of type: RowView.Type) -> RowView {
    if let view = idle[ObjectIdentifier(type)]?.popLast() {
      reusedCount += 1
      return view
    }
    createdCount += 1
    return type.init()
  }

  /// Takes back a view that has left the screen.
  mutating func recycle(_ view: RowView) {
    idle[ObjectIdentifier(type(of: view)), default: []].append(view)
  }
}
