import Foundation
import SnippetLoading
import SnippetStorage

/// The samples in the doc comments of the loader.
@MainActor enum LoadingComments {
  struct FileSource: BlobSource {
    let folder: URL

    func read(_ key: LoadKey, into context: inout LoadContext) throws {
      guard let blob = key.blobID else { throw LoadError(.recipeUnavailable) }
      let file = try FileHandle(forReadingFrom: folder.appending(path: "\(blob)"))
      while let piece = try file.read(upToCount: 65_536) {
        try context.append(piece)
      }
    }
  }

  struct CloudSource: AsyncBlobSource {
    let cloud: Cloud

    func offers(_ recipe: Recipe) -> Bool { recipe == .original }

    func fetch(_ key: LoadKey, into context: inout LoadContext) async throws {
      let object = try await cloud.object(named: "\(key)")
      try context.reserve(byteCount: object.byteCount)
      for try await piece in object.pieces { try context.append(piece) }
    }
  }

  /// A service that an app uses.
  struct Cloud: Sendable {
    struct Object {
      let byteCount: Int
      let pieces: AsyncThrowingStream<Data, any Error>
    }

    func object(named name: String) async throws -> Object {
      Object(byteCount: 0, pieces: AsyncThrowingStream { $0.finish() })
    }
  }

  static func sharing(_ store: SnippetStore) throws -> [SnippetLoader] {
    let pipeline = LoadPipeline(store: store)
    let all = try SnippetLoader(list: store.list(), pipeline: pipeline)
    let pinned = try SnippetLoader(
      list: store.list(SnippetFilter(isPinned: true)),
      pipeline: pipeline
    )
    return [all, pinned]
  }

  static func twoSteps(
    _ coarsePicture: String,
    _ picture: String,
    into context: inout LoadContext
  ) throws {
    context.show(coarsePicture, byteCount: 20_000)  // at once, until the load is done
    try context.attach(picture, byteCount: 4_000_000)
  }

  static func binding(
    _ cell: any SnippetCell,
    _ otherCell: any SnippetCell,
    in store: SnippetStore
  ) -> SnippetLoader {
    let loader = SnippetLoader(list: store.list(), store: store)

    loader.show(visible: 120..<132)  // starts and cancels loads
    loader.bind(cell, to: 131)  // shows the row, and the blob if it is in memory
    loader.unbind(otherCell)  // cancels its load, unless another cell waits for it
    return loader
  }

  static func editing(_ store: SnippetStore, with loader: SnippetLoader) -> SnippetDataSource {
    var message = ""
    let editor = SnippetEditor(store)
    let dataSource = SnippetDataSource(loader: loader, editor: editor)
    editor.failureHandler = { _, _, error in message = error.localizedDescription }
    editor.undo()  // when a key says so
    _ = message
    return dataSource
  }

  static func typing(
    into view: NoteTextView,
    of id: SnippetID,
    in store: SnippetStore
  ) async throws {
    let texts = SnippetTextEditor(store)
    texts.textHandler = { text in view.text = text }
    texts.stateHandler = { state in view.showState(state) }
    try await texts.open(id)
    texts.typed(view.text)  // at each keystroke
    await texts.close()  // before the window or the program ends
  }

  static func showingAnother(
    _ loader: SnippetLoader,
    _ store: SnippetStore,
    _ results: SearchResults
  ) {
    loader.show(store.list(SnippetFilter(kinds: [.image])))
    loader.show(results)
  }
}
