import SnippetLoading
import SnippetStorage
import TerminalKit

/// The part of a wide screen beside the list that shows more of the selected snippet.
///
/// It is another list over the same rows, cache and workers, with one of them in view.
@MainActor
final class BrowsePane {
  /// Called when the pane looks different.
  var changeHandler: (() -> Void)?
  /// Called with slow work to start.
  var workHandler: ((@escaping @MainActor () async throws -> Void) -> Void)?
  /// The cells of the pane.
  let size: BoxSize
  /// The source that brings the snippet into the view.
  let source: SnippetDataSource

  /// The lines above the content: the title and the facts between empty ones.
  private static let headCount = 4

  private let drawing: any PictureDrawing
  private var views: [ObjectIdentifier: RowView] = [:]
  /// The view on show; `nil` without a snippet.
  private var view: RowView?
  private var findings: RowFindings?
  private var isFollowing = false
  /// The lines as drawn last; `nil` once they may look different.
  private var drawn: [FrameLine]?

  /// The cells below the head.
  private static func content(_ size: BoxSize) -> BoxSize {
    BoxSize(columns: size.columns, lines: max(1, size.lines - headCount))
  }

  /// Makes a pane that shows nothing yet.
  ///
  /// - Parameters:
  ///   - size: The cells of the pane.
  ///   - drawing: Draws pictures.
  ///   - makeLoader: Makes a loader by the rules for a box.
  init(
    _ size: BoxSize,
    drawing: any PictureDrawing,
    _ makeLoader: (RecipeRules) -> SnippetLoader
  ) {
    self.size = size
    self.drawing = drawing
    source = SnippetDataSource(loader: makeLoader(drawing.rules(for: Self.content(size))))
    register(TextRowView.self, for: .text)
    register(ImageRowView.self, for: .image)
    register(VoiceRowView.self, for: .voice)
    source.changeHandler = { [weak self] _ in self?.changeHandler?() }
  }

  private func register<View: RowView>(_ type: View.Type, for kind: SnippetKind) {
    source.register(RowPresenter<View>.init, for: kind)
    let view = View()
    view.changeHandler = { [weak self] in self?.viewDidChange() }
    views[ObjectIdentifier(type)] = view
  }

  /// Shows rows of another list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - findings: The places of search matches in the rows; `nil` without a search.
  func show(_ list: any RowList, findings: RowFindings?) {
    self.findings?.cancel()
    self.findings = findings
    source.loader.show(list)
    clear()
  }

  /// Shows a snippet.
  ///
  /// - Parameters:
  ///   - id: The snippet; `nil` for none.
  ///   - position: Where it stands in the list.
  func show(_ id: SnippetID?, at position: Int) {
    guard let id else { return clear() }
    source.show(visible: position..<position + 1, speed: 0)
    // The other list may know of a change before this one does.
    if source.loader.rowInMemory(at: position)?.id != id { source.loader.reloadRows() }
    guard source.loader.rowInMemory(at: position)?.id == id,
      let next = source.viewType(at: position).flatMap({ views[ObjectIdentifier($0)] })
    else { return clear() }
    if view !== next {
      clear()
      view = next
    }
    source.present(position, in: next)
    followFindings()
  }

  /// Ends the loads.
  func close() {
    clear()
    findings?.cancel()
    findings = nil
    source.loader.close()
  }

  private func clear() {
    if let view { source.didEndDisplaying(view) }
    view = nil
    drawn = nil
  }

  private func viewDidChange() {
    drawn = nil
    followFindings()
    changeHandler?()
  }

  /// Shows the places of search matches in the snippet, and has its text read if necessary.
  private func followFindings() {
    guard !isFollowing, let view else { return }
    isFollowing = true
    defer { isFollowing = false }
    let row = source.row(in: view)
    view.marks = findings?.marks
    view.excerpt = row.flatMap { findings?.excerpt(of: $0) }
    let room = Self.content(size)
    // Two ellipses show that something was left out.
    let length = max(0, room.columns * room.lines * 2 / 3 - 4)
    guard let row, let findings, findings.want([row], length: length) else { return }
    workHandler? { [weak self] in
      try await findings.read { if self?.findings === findings { self?.followFindings() } }
    }
  }

  /// The lines of the pane, exactly as many as it has.
  var lines: [FrameLine] {
    if let drawn { return drawn }
    var lines = view?.paneLines(size, Self.content(size), drawing: drawing) ?? []
    while lines.count < size.lines { lines.append(FrameLine()) }
    drawn = lines
    return lines
  }
}

extension RowView {
  /// The title and the facts of the snippet, above as much of its content as fits.
  fileprivate func paneLines(
    _ size: BoxSize,
    _ content: BoxSize,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    let known = [format, facts, byteCount, date, "no. \(number)", tags].filter { !$0.isEmpty }
    let heading = MarkedText(
      title,
      matches: marks?.query.matches(in: title) ?? []
    )
    return [
      FrameLine(),
      heading.line(.bold, marks).truncated(toWidth: size.columns),
      FrameLine(known.joined(separator: "  "), .faint).truncated(toWidth: size.columns),
      FrameLine(),
    ] + contentLines(content, drawing: drawing).drop { $0.isBlank }
  }
}

extension FrameLine {
  /// Whether nothing is seen of it; a picture may be drawn in spaces.
  fileprivate var isBlank: Bool {
    pieces.allSatisfy { piece in
      piece.style.background == nil && piece.text.allSatisfy { $0 == " " }
    }
  }
}
