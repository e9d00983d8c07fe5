import SnippetLoading
import SnippetStorage
import TerminalKit

/// The list, the gallery and the pane: which of them exist, and their content.
extension BrowseScreen {
  /// The list or the gallery, whichever keys move in now.
  var list: BrowseList { gallery ?? rows }

  /// The loaders of all parts of the screen.
  var loaders: [SnippetLoader] {
    [rows.source.loader] + [gallery?.source.loader, pane?.source.loader].compactMap(\.self)
  }

  var form: ScreenParts.Form { gallery == nil ? .list : .gallery }

  var parts: ScreenParts { ScreenParts(size, form, showsCounters: showsCounters) }

  /// The rows on show: search results, or else the list.
  private var shownRows: any RowList { results ?? snippets as any RowList }

  private func makeLoader(_ rules: RecipeRules) -> SnippetLoader {
    Self.loader(of: shownRows, pipeline, rules, surroundings, editor)
  }

  /// Makes a loader by some rules; all loaders of a screen share a cache and workers.
  static func loader(
    of list: any RowList,
    _ pipeline: LoadPipeline,
    _ rules: RecipeRules,
    _ surroundings: BrowseSurroundings,
    _ editor: SnippetEditor
  ) -> SnippetLoader {
    let loader = SnippetLoader(
      list,
      pipeline,
      rules,
      SnippetLoader.Configuration(),
      surroundings.loaderEnvironment()
    )
    loader.editor = editor
    return loader
  }

  /// Lets a list report its changes to this screen.
  func follow(_ list: BrowseList) {
    list.changeHandler = { [weak self] in
      self?.updatePane()
      self?.explainEmptiness()
      self?.followOpened()
      self?.changeHandler?()
    }
    list.workHandler = { [weak self] in self?.start(.reading, $0) }
  }

  /// Shows rows, from their start.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - found: The same rows, if a search found them. The default is none.
  func show(_ rows: any RowList, found: SearchResults? = nil) {
    list.show(rows, findings: findings(of: found))
    pane?.show(rows, findings: findings(of: found))
    updatePane()
    explainEmptiness()
  }

  private func findings(of found: SearchResults?) -> RowFindings? {
    found.map { RowFindings($0, color: surroundings.matchColor) }
  }

  /// Gives each part its place on the screen.
  func layOut() {
    if gallery != nil, !RowLayout.hasGallery(size) { toggleGallery() }
    let parts = parts
    list.resize(to: parts.layout(form))
    if pane?.size != parts.pane {
      pane?.close()
      pane = nil
      if let room = parts.pane { makePane(room) }
    }
    updatePane()
  }

  private func makePane(_ room: BoxSize) {
    let pane = BrowsePane(room, drawing: surroundings.drawing, makeLoader)
    pane.changeHandler = { [weak self] in
      self?.updatePane()
      self?.changeHandler?()
    }
    pane.workHandler = { [weak self] in self?.start(.reading, $0) }
    pane.show(shownRows, findings: findings(of: results))
    self.pane = pane
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
      message = "The gallery needs a larger screen."
      return
    }
    let selection = list.selection
    if let gallery {
      self.gallery = nil
      gallery.close()
      rows.source.resume()
    } else {
      rows.source.suspend()
      pane?.close()
      pane = nil
      let layout = ScreenParts(size, .gallery, showsCounters: showsCounters).layout(.gallery)
      let rules = layout.tile.map(surroundings.drawing.rules) ?? surroundings.drawing.rules
      let gallery = BrowseList(makeLoader(rules), layout: layout, drawing: surroundings.drawing)
      follow(gallery)
      self.gallery = gallery
    }
    list.marks = marks
    list.show(shownRows, findings: findings(of: results))
    layOut()
    list.select(selection)
    updatePane()
  }
}
