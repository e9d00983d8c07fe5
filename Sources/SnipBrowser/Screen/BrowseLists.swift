import SnippetLoading
import SnippetStorage
import TerminalKit

/// The list, the gallery and the pane: those that are on the screen, and their rows.
@MainActor
final class BrowseLists {
  /// Called when the rows on show differ.
  var changeHandler: (() -> Void)?
  private(set) var size: ScreenSize
  /// The snippets beside each other; `nil` while they are below each other.
  private(set) var gallery: BrowseList?
  /// More of the selected snippet; `nil` if the screen is not wide.
  private(set) var pane: BrowsePane?
  /// Whether counters are shown.
  var showsCounters = false {
    didSet { layOut() }
  }
  /// The marked snippets, on which keys act in place of the selected one.
  var marks: Set<SnippetID> = [] {
    didSet { if marks != oldValue { list.marks = marks } }
  }

  /// The key of the order, whose date the rows show.
  var dateKey = SnippetOrder.Key.created {
    didSet { if dateKey != oldValue { list.dateKey = dateKey } }
  }

  /// The snippets below each other.
  private let rows: BrowseList
  private let work: BrowseWork
  private let surroundings: BrowseSurroundings
  /// Makes a loader by some rules; all loaders share a cache, workers and edits.
  private let makeLoader: @MainActor (any RowList, RecipeRules) -> SnippetLoader
  private var shown: any RowList
  /// The rows on show, if a search found them.
  private var found: SearchResults?
  private var isUpdatingPane = false

  init(
    _ shown: any RowList,
    of store: SnippetStore,
    size: ScreenSize,
    _ surroundings: BrowseSurroundings,
    _ editor: SnippetEditor,
    _ work: BrowseWork
  ) {
    let pipeline = LoadPipeline(
      source: surroundings.drawing.source(of: store),
      configuration: surroundings.limits,
      environment: surroundings.loaderEnvironment()
    )
    let makeLoader: @MainActor (any RowList, RecipeRules) -> SnippetLoader = { list, rules in
      // The parts of a screen follow when the list has been counted.
      var configuration = SnippetLoader.Configuration()
      configuration.countsFirst = false
      let environment = surroundings.loaderEnvironment()
      let loader = SnippetLoader(list, pipeline, rules, configuration, environment)
      loader.editor = editor
      return loader
    }
    self.makeLoader = makeLoader
    self.shown = shown
    self.size = size
    self.surroundings = surroundings
    self.work = work
    rows = BrowseList(
      makeLoader(shown, surroundings.drawing.rules),
      layout: ScreenParts(size, showsCounters: false).layout(.list),
      drawing: surroundings.drawing,
      selectionStyle: surroundings.selectionStyle
    )
    follow(rows)
    layOut()
  }

  /// The list or the gallery, whichever keys move in.
  var list: BrowseList { gallery ?? rows }

  /// The loaders of all parts; the first is that of the list.
  var loaders: [SnippetLoader] {
    [rows.source.loader] + [gallery?.source.loader, pane?.source.loader].compactMap(\.self)
  }

  /// The parts of the screen.
  var parts: ScreenParts { ScreenParts(size, form, showsCounters: showsCounters) }

  private var form: ScreenParts.Form { gallery == nil ? .list : .gallery }
  private var findings: RowFindings? {
    found.map { RowFindings($0, color: surroundings.matchColor) }
  }

  private func follow(_ list: BrowseList) {
    list.changeHandler = { [weak self] in
      self?.updatePane()
      self?.changeHandler?()
    }
    list.workHandler = { [work] in work.start(.reading, $0) }
  }

  /// Shows rows, from their start.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - found: The same rows, if a search found them. The default is none.
  func show(_ rows: any RowList, found: SearchResults? = nil) {
    (shown, self.found) = (rows, found)
    list.show(rows, findings: findings)
    pane?.show(rows, findings: findings)
    updatePane()
  }

  /// Lays everything out for another screen.
  func resize(to size: ScreenSize) {
    self.size = size.clamped
    layOut()
  }

  /// Gives each part its place on the screen.
  private func layOut() {
    if gallery != nil, !RowLayout.hasGallery(size) { toggleGallery() }
    let parts = parts
    list.resize(to: parts.layout(form))
    if pane?.size != parts.pane {
      closePane()
      if let room = parts.pane { makePane(room) }
    }
    updatePane()
  }

  private func makePane(_ room: BoxSize) {
    let pane = BrowsePane(room, drawing: surroundings.drawing) { makeLoader(shown, $0) }
    pane.changeHandler = { [weak self] in
      self?.updatePane()
      self?.work.changeHandler?()
    }
    pane.workHandler = { [work] in work.start(.reading, $0) }
    pane.show(shown, findings: findings)
    self.pane = pane
  }

  private func closePane() {
    pane?.close()
    pane = nil
  }

  /// Shows the selected snippet in the pane, once the list is at rest, so that snippets that a held
  /// key rushes past are not loaded.
  func updatePane() {
    guard let pane, !isUpdatingPane, list.speed == 0 else { return }
    isUpdatingPane = true
    defer { isUpdatingPane = false }
    pane.show(list.selectedRow?.id, at: list.selection)
  }

  /// Switches between the gallery and the list.
  func toggleGallery() {
    guard gallery != nil || RowLayout.hasGallery(size) else {
      work.message = "The gallery needs a larger screen."
      return
    }
    let selection = list.selection
    if let gallery {
      self.gallery = nil
      gallery.close()
      rows.source.resume()
    } else {
      rows.source.suspend()
      closePane()
      let layout = ScreenParts(size, .gallery, showsCounters: showsCounters).layout(.gallery)
      let rules = layout.tile.map(surroundings.drawing.rules) ?? surroundings.drawing.rules
      let loader = makeLoader(shown, rules)
      let gallery = BrowseList(
        loader,
        layout: layout,
        drawing: surroundings.drawing,
        selectionStyle: surroundings.selectionStyle
      )
      follow(gallery)
      self.gallery = gallery
    }
    list.marks = marks
    list.dateKey = dateKey
    list.show(shown, findings: findings)
    layOut()
    list.select(selection)
    updatePane()
  }

  /// Ends the loads.
  func close() {
    gallery?.close()
    pane?.close()
    rows.close()
  }
}
