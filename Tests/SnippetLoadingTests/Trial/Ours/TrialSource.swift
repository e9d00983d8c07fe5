import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// The source of ours: it gives what the load had to read when a worker took it.
///
/// All happens on the thread of the test, one load after the other.
final class TrialSource: BlobSource {
  private struct State {
    var answer = TrialAnswer.failure
    var read: TrialPicture?
  }

  private let state = Lock(State())

  /// Lets a load run to its end.
  ///
  /// - Returns: What was read whole; `nil` where the load did not care any more.
  func picture(answering answer: TrialAnswer, to work: () -> Void) -> TrialPicture? {
    state.withLock { $0 = State(answer: answer) }
    work()
    return state.withLock(\.read)
  }

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard case .picture(let picture) = state.withLock(\.answer) else {
      throw LoadError(.unreadable)
    }
    // The name of a load is that of the trace. Were it of another load, nothing would be proven.
    guard key == LoadKey(of: picture.name) else { throw LoadError(.notFound) }
    try context.append(picture.bytes)
    state.withLock { $0.read = picture }
  }
}

extension TrialPicture {
  /// The name and the version: two bytes.
  var bytes: Data { Data([name.asciiValue ?? 0, UInt8(version)]) }

  /// What a cell of ours was given.
  init?(_ bytes: Data) {
    guard let name = bytes.first, let version = bytes.last else { return nil }
    self.init(name: Character(UnicodeScalar(name)), version: Int(version))
  }
}

extension LoadKey {
  init(of picture: Character) {
    self.init(blob: Int64(picture.asciiValue ?? 0))
  }

  /// The picture that a load is for.
  var picture: Character? {
    blobID.map { Character(UnicodeScalar(UInt8(clamping: $0.rawValue))) }
  }
}

extension SnippetRow {
  /// The row of a snippet as ours has it: a value.
  @MainActor
  init(_ item: TrialItem) {
    let id = Int64(item.name.asciiValue ?? 0)
    let revision = Int64(item.revision)
    self =
      switch item.kind {
      case .note: .text(id, item.title, revision: revision)
      case .photo:
        .image(
          id,
          blob: Int64(item.picture.asciiValue ?? 0),
          revision: revision,
          title: item.title,
          byteCount: 2
        )
      }
  }
}
