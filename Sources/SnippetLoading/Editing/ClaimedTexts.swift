import SnippetBase
import SnippetStorage

/// The kept texts that this process has claimed and that are not open.
@MainActor
final class ClaimedTexts {
  private let unsaved: UnsavedTexts?
  /// The claims; `nil` until they were looked for.
  private var claims: [UnsavedTexts.Claim]?

  init(_ unsaved: UnsavedTexts?) { self.unsaved = unsaved }

  var records: [UnsavedText] { claims?.map(\.record) ?? [] }

  /// Looks for those of processes that have ended, once.
  func look() async {
    guard claims == nil, let unsaved else { return }
    let found = await OwnThreads.run { unsaved.claim() }
    // A second call may have been faster; those that it claimed are not among these.
    claims = (claims ?? []) + found
  }

  func add(_ claim: UnsavedTexts.Claim) { claims = (claims ?? []) + [claim] }

  /// Removes the first of some texts, and returns it; `nil` if there is none.
  func take(where isSought: (UnsavedText) -> Bool) -> UnsavedTexts.Claim? {
    let place = claims?.firstIndex { isSought($0.record) }
    return place.flatMap { claims?.remove(at: $0) }
  }

  /// Keeps a text; on return it is on the disk.
  func keep(_ text: UnsavedText) throws(SnippetStoreError) {
    guard let unsaved else {
      throw SnippetStoreError(
        .inputOutput,
        "keep the text of snippet \(text.snippet)",
        because: "the store is in memory"
      )
    }
    add(try unsaved.keep(text))
  }
}
