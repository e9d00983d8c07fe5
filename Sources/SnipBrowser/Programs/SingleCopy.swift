package import SnipCore
import SnippetBase
package import SnippetStorage

/// Opens or plays one snippet in another program, without the browser.
@MainActor
package struct SingleCopy {
  private let row: SnippetRow
  private let store: SnippetStore
  private let programs: any OtherPrograms
  private let copies = PrivateCopies()

  /// Makes a copy that is not there yet.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - store: The store that it is in.
  ///   - environment: The environment variables, which say where programs are.
  package init(of row: SnippetRow, in store: SnippetStore, environment: [String: String]) {
    (self.row, self.store) = (row, store)
    programs = UserPrograms(environment: environment)
    OwnThreads.start { PrivateCopies.removeLeftovers() }
  }

  /// Opens a copy in the desktop's program for it.
  ///
  /// The program may go on when this returns; a later start of `snip` removes the copy.
  ///
  /// - Throws: ``OtherProgramError``, or ``SnippetStoreError`` when the snippet cannot be read.
  package func open() async throws {
    try await programs.open(copies.copy(of: row, in: store))
  }

  /// Plays a recording to its end, or until the user asks the program to end.
  ///
  /// The copy is removed on return.
  ///
  /// - Parameter interrupts: The requests that stop it.
  /// - Throws: ``OtherProgramError``, also for a player that failed; ``InterruptedError``;
  ///   ``SnippetStoreError`` when the snippet cannot be read.
  package func play(until interrupts: Interrupts) async throws {
    defer { copies.remove() }
    let file = try await copies.copy(of: row, in: store)
    try interrupts.throwIfRequested()
    let player = try programs.play(file, mediaType: row.mediaType)
    interrupts.whenRequested { player.stop() }
    let status = await player.ended()
    try interrupts.throwIfRequested()
    guard status == 0 else {
      throw OtherProgramError(message: "the player ended with status \(status)")
    }
  }
}
