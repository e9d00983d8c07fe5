import Foundation
import SnippetMedia
import SnippetStorage

/// The samples in the doc comments on media.
enum MediaComments {
  static func makingAhead(in store: SnippetStore, media: WorkerMedia) async throws -> Int {
    let report = try await store.makeDerivatives(of: store.list(), with: media) {
      print($0.doneCount)
    }
    return report.doneCount
  }

  static func reading(
    _ url: URL,
    _ blob: BlobID,
    of row: SnippetRow,
    in store: SnippetStore
  ) throws -> [MediaInput] {
    let picture = MediaInput(try Data(contentsOf: url))
    let recording = MediaInput(blob, byteCount: row.byteCount, in: store)  // in constant memory
    return [picture, recording]
  }

  static func worker() -> Never {
    WorkerMedia.runWorker()
  }
}
