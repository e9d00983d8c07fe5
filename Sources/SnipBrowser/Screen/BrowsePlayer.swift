import SnippetStorage

/// Opens copies of snippets in other programs, and plays recordings.
@MainActor
final class BrowsePlayer {
  /// A recording that is being played.
  struct Recording {
    let id: SnippetID
    /// The title, safe to print.
    let title: String
    fileprivate let player: any Playing
  }

  /// The recording that is playing.
  private(set) var playing: Recording?

  private let store: SnippetStore
  private let work: BrowseWork
  private let copies = PrivateCopies()
  /// The recording that will play once it has been copied.
  private var awaited: SnippetID?
  /// The number of the last wish to play; an earlier one comes too late.
  private var wishNumber = 0

  init(of store: SnippetStore, _ work: BrowseWork) {
    (self.store, self.work) = (store, work)
  }

  /// Opens a copy of a snippet in the desktop's program for it.
  func open(_ row: SnippetRow, in programs: any OtherPrograms) {
    work.message = "Opening \(row.shownTitle) in another program …"
    work.start { [self] in
      try await programs.open(copies.copy(of: row, in: store))
    }
  }

  /// Plays a recording.
  func play(_ row: SnippetRow, in programs: any OtherPrograms) {
    stop()
    let number = wishNumber
    awaited = row.id
    work.start { [self] in
      defer { if number == wishNumber { awaited = nil } }
      let file = try await copies.copy(of: row, in: store)
      // It may have been taken back since, or the browser ended.
      guard number == wishNumber else { return }
      let player = try programs.play(file, mediaType: row.mediaType)
      playing = Recording(id: row.id, title: row.shownTitle, player: player)
      // Not part of the screen's work: it may take an hour.
      Task { [weak self] in
        let status = await player.ended()
        self?.noteEnd(of: player, status)
      }
    }
  }

  /// Stops the recording that is playing or about to, if any.
  ///
  /// - Returns: That recording.
  @discardableResult
  func stop() -> SnippetID? {
    let former = playing?.id ?? awaited
    wishNumber += 1
    awaited = nil
    playing?.player.stop()
    playing = nil
    return former
  }

  /// Ends what is played, and removes the copies.
  func close() {
    stop()
    copies.end()
  }

  private func noteEnd(of player: any Playing, _ status: Int32) {
    // Another one may play by now, and one that was stopped did not fail.
    guard let playing, playing.player === player else { return }
    self.playing = nil
    if status != 0 { work.message = "The player ended with status \(status)." }
    work.changeHandler?()
  }
}
