@testable import SnippetLoading

/// A list of a UI framework, as far as a data source sees it: it makes views, uses them again by
/// their identifiers, and tells when they come and go.
///
/// It knows three types of views only to make them; everything else it leaves to the data source.
@MainActor
final class FakeListView {
  private let dataSource: SnippetDataSource
  private var pool: [String: [RecordingView]] = [:]
  private(set) var views: [Int: RecordingView] = [:]
  private(set) var madeCount = 0

  private let makers: [String: @MainActor () -> RecordingView] = [
    NoteView.identifier: { NoteView() },
    PhotoView.identifier: { PhotoView() },
    VoiceView.identifier: { VoiceView() },
  ]

  init(_ dataSource: SnippetDataSource) {
    self.dataSource = dataSource
  }

  subscript(position: Int) -> RecordingView? { views[position] }

  /// Takes a view of the right kind, and lets it show a position ahead of time or now.
  func prepare(_ position: Int) -> RecordingView? {
    guard let identifier = dataSource.reuseIdentifier(at: position) else { return nil }
    var view = pool[identifier]?.popLast()
    if view == nil {
      view = makers[identifier]?()
      madeCount += 1
    }
    guard let view else { return nil }
    dataSource.present(position, in: view)
    return view
  }

  /// Puts a view that was prepared, but never displayed, back.
  func putBack(_ view: RecordingView) {
    let identifier = SnippetDataSource.reuseIdentifier(of: type(of: view))
    pool[identifier, default: []].append(view)
  }

  /// Shows some positions, and releases all others.
  func scroll(to visible: Range<Int>) {
    for position in views.keys.sorted() where !visible.contains(position) {
      guard let view = views.removeValue(forKey: position) else { continue }
      dataSource.didEndDisplaying(view)
      putBack(view)
    }
    dataSource.show(visible: visible)
    for position in visible where views[position] == nil {
      guard let view = prepare(position) else { continue }
      views[position] = view
      dataSource.willDisplay(view, at: position)
    }
  }

  /// Shows the same positions with other views, as after a change of the list.
  func reload(_ visible: Range<Int>) {
    scroll(to: 0..<0)
    scroll(to: visible)
  }

  /// Releases every view, as when memory is short.
  func discardPool() {
    pool = [:]
  }
}
