import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// The samples in the doc comments on media.
enum MediaComments {
  static func makingAhead(in store: SnippetStore, media: WorkerMedia) async throws -> Int {
    let making = DerivativeMaking(store, media: media)
    let report = try await making.run(over: store.list()) { print($0.doneCount) }
    return report.doneCount
  }

  @MainActor static func loading(
    _ list: SnippetList,
    of store: SnippetStore,
    helper: URL
  ) throws -> SnippetLoader {
    let media = WorkerMedia(.init(executable: helper))
    let pipeline = LoadPipeline(source: MediaSource(store, media: media))
    let loader = try SnippetLoader(list: list, pipeline: pipeline, rules: .media(media))
    return loader
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

  static func helper() -> Never {
    MediaWorker.run()
  }
}
