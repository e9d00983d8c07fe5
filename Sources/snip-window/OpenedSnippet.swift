#if GTK
import CGTK
import SnippetExchange
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// One snippet over the whole window: a picture, a recording, or a whole text to edit.
///
/// For the loader it is a list with one row on screen, so it follows changes made elsewhere, and
/// its neighbours are loaded ahead. A text stays until the user leaves it, whatever the list does.
@MainActor
final class OpenedSnippet {
  /// Called when there is nothing left to show.
  var closeHandler: (() -> Void)?
  private(set) var position: Int?
  /// The snippet as it is on screen.
  private(set) var row: SnippetRow?
  let text: OpenedText
  let picture: OpenedPicture
  let sound: OpenedSound
  let note: OpenedNote
  private let builder: Builder
  private let store: SnippetStore
  private let dataSource: SnippetDataSource
  private let face: FaceView
  private var list: (any RowList)?
  /// The snippet whose title was typed over, as it was at the first key.
  private var titled: SnippetRow?
  /// The note that was made to be typed into, until it is left.
  private var newNote: SnippetID?
  /// Whether the list still has the snippet on screen.
  private var isInList = true
  private var isShowing = false

  init(_ builder: Builder, _ store: SnippetStore, _ loader: SnippetLoader, _ editor: SnippetEditor)
  {
    (self.builder, self.store) = (builder, store)
    dataSource = SnippetDataSource(loader: loader, editor: editor)
    face = FaceView(
      builder,
      FaceView.Names(
        stack: "opened-content",
        picture: "opened-picture",
        picturePage: "opened-picture-page",
        waveform: "opened-waveform",
        waveformPage: "opened-sound",
        icon: "opened-icon"
      )
    )
    let texts = SnippetTextEditor(
      store,
      editor: editor,
      completing: { try await store.completing($0, of: $1) }
    )
    text = OpenedText(builder, texts)
    picture = OpenedPicture(builder, face)
    sound = OpenedSound(builder, store, face)
    note = OpenedNote(builder, store)
    dataSource.register(OpenedPicturePresenter.init, for: .image)
    dataSource.register(OpenedSoundPresenter.init, for: .voice)
    dataSource.register(OpenedTextPresenter.init, for: .text)
    dataSource.changeHandler = { [weak self] in self?.listDidChange($0) }
    onSignal("changed", of: builder.object("opened-title")) { [weak self] _ in
      guard let self, !isShowing else { return }
      titled = titled ?? row
    }
    onSignal("activate", of: builder.object("opened-title")) { [weak self] _ in self?.rename() }
  }

  // MARK: - Choosing a snippet

  func open(_ list: any RowList, at position: Int) {
    show(list)
    show(position)
  }

  /// Opens a text that was kept, whose snippet may not be in the list any more.
  func open(kept unsaved: UnsavedText, in list: SnippetList) {
    show(list)
    sound.stop()
    // Once it is open it is known whether the list has it.
    (position, row, isInList) = (0, nil, false)
    setTitle(unsaved.title ?? "")
    text.open(kept: unsaved)
  }

  /// Opens a note without a text to be typed into; it is deleted if it is left without one.
  func open(new id: SnippetID, in list: SnippetList) {
    show(list)
    newNote = id
    // The attempt to open one that is gone says so.
    guard let position = try? list.position(of: id) else { return text.open(id) }
    show(position)
  }

  private func show(_ list: any RowList) {
    leaveNewNote()
    self.list = list
    dataSource.loader.show(list)
  }

  func move(by distance: Int) {
    // The next one has moved up to the place of one that is gone.
    guard let position else { return }
    let target = position + (isInList || distance < 0 ? distance : distance - 1)
    guard (0..<dataSource.count).contains(target) else { return }
    rename()
    leaveNewNote()
    show(target)
  }

  func close() {
    rename()
    text.close()
    leaveNewNote()
    dataSource.didEndDisplaying(self)
    dataSource.show(stretches: [])
    position = nil
    sound.stop()
  }

  /// Waits until all edits are in the store, before the window is closed.
  ///
  /// - Returns: Whether every text is in the store or kept.
  func finish() async -> Bool {
    rename()
    let isSafe = await text.editor.close()
    if let id = newNote.take() { await settle(newNote: id) }
    await dataSource.editor?.settled()
    return isSafe
  }

  private func show(_ position: Int) {
    self.position = position
    isInList = true
    dataSource.show(visible: position..<position + 1)
    dataSource.present(position, in: self)
    guard row?.id != text.id else { return }
    if row?.kind != .voice { sound.stop() }
    if let row, row.kind == .text {
      text.open(row.id)
    } else {
      text.close()
    }
    // With the focus elsewhere, the user would type over the title.
    focus()
  }

  /// Gives the text, or else the whole content, the focus of the keyboard.
  func focus() {
    gtk_widget_grab_focus(builder.widget(text.id == nil ? "opened-content" : "opened-text"))
  }

  private func listDidChange(_ change: ListChange) {
    guard let position else { return }
    let next = max(0, min(change.position(of: position) ?? position, dataSource.count - 1))
    if text.id != nil {
      self.position = next
      followText()
    } else if dataSource.count > 0 {
      show(next)
    } else {
      closeHandler?()
    }
  }

  /// Finds the snippet of the text in the list; it stays on screen though it is not there.
  func followText() {
    guard let id = text.id, position != nil else { return }
    isInList = false
    // Another snippet may have the number of one that was deleted.
    if text.editor.state != .deleted, let place = try? list?.position(of: id),
      (0..<dataSource.count).contains(place)
    {
      dataSource.show(visible: place..<place + 1)
      // The loader may not know yet what the list does.
      isInList = dataSource.loader.rowInMemory(at: place)?.id == id
      if isInList {
        position = place
        dataSource.present(place, in: self)
      }
    }
    goOnIfGone()
  }

  /// Shows the next snippet if a text that was only read is not there any more.
  private func goOnIfGone() {
    let state = text.editor.state
    guard let position, !isInList, state == .deleted || state == .inTrash,
      !text.editor.hasUnsavedText
    else { return }
    guard dataSource.count > 0 else { closeHandler?(); return }
    show(min(position, dataSource.count - 1))
  }

  // MARK: - A new note

  private func leaveNewNote() {
    guard let id = newNote.take() else { return }
    Task {
      if await text.editor.leave() { await settle(newNote: id) }
    }
  }

  /// Deletes a new note if nothing was typed into it.
  private func settle(newNote id: SnippetID) async {
    // What is kept of it goes on at the next start.
    guard await !text.editor.keptSnippets().contains(id), let row = try? store.row(id),
      row.byteCount == 0, row.title.isEmpty, row.tags.isEmpty, !row.isPinned, row.deletedAt == nil
    else { return }
    do throws(SnippetStoreError) {
      // Others may have written into it since.
      try await store.delete(ifUnchanged: row)
    } catch { text.errorHandler?(error) }
  }

  // MARK: - The title

  /// Shows the former title in place of one that is being typed, and leaves it.
  ///
  /// - Returns: Whether one was being typed.
  func giveUpTitle() -> Bool {
    guard titled.take() != nil else { return false }
    setTitle(row?.title ?? "")
    focus()
    return true
  }

  private func setTitle(_ title: String) {
    isShowing = true
    gtk_editable_set_text(builder.object("opened-title"), title)
    isShowing = false
  }

  /// Saves a title that was typed.
  private func rename() {
    guard let seen = titled.take(), let editor = dataSource.editor else { return }
    let title = builder.text(of: "opened-title")
    if title != seen.title { editor.apply(SnippetEdit(title: title), to: seen) }
  }

  // MARK: - Content

  func show(_ field: SnippetField, of row: SnippetRow) {
    self.row = row
    switch field {
    case .title: if titled?.id != row.id { setTitle(row.title) }
    case .blob: picture.fit()
    case .createdAt, .facts, .byteCount, .tags:
      gtk_label_set_text(builder.object("opened-facts"), Caption(row).facts)
    // A change behind the beginning of a note changes no other field.
    case .preview, .modifiedAt: note.show(row)
    case .kind, .isPinned, .mediaType, .deletedAt: break
    }
  }

  func show(_ content: LoadState<Thumbnail>) {
    sound.stop()
    picture.show(content)
  }

  func show(_ content: LoadState<Waveform>) { sound.show(content, of: row?.id) }
}

private final class OpenedPicturePresenter: ContentPresenter {
  let recipe = TypedRecipe<Thumbnail>.thumbnail(OpenedPicture.pixelSize)

  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }

  func show(_ content: LoadState<Thumbnail>, in view: OpenedSnippet) { view.show(content) }
}

private final class OpenedSoundPresenter: ContentPresenter {
  let recipe = TypedRecipe<Waveform>.waveform(OpenedSound.peakCount)

  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }

  func show(_ content: LoadState<Waveform>, in view: OpenedSnippet) { view.show(content) }
}

/// Shows all of a text but the text, which its editor shows.
private final class OpenedTextPresenter: CellPresenter {
  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }
}
#endif
