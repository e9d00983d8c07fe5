import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage

@MainActor func pictures(in store: SnippetStore, media: WorkerMedia) -> SnippetDataSource {
  let dataSource = SnippetDataSource(
    list: store.list(SnippetFilter(kinds: [.image])),
    store: store,
    source: MediaSource(store, media: media),  // makes thumbnails once and keeps them in the store
    rules: .media(media)  // a cell gets a Thumbnail of pixels, or a Waveform of peaks
  )
  dataSource.register(ThumbnailPresenter.self, for: .image)
  return dataSource
}

final class ThumbnailPresenter: CellPresenter {
  private weak var view: ThumbnailView?

  init(_ view: ThumbnailView, sender: CommandSender) { self.view = view }

  func update(_ field: SnippetField, of row: SnippetRow) {
    if field == .title { view?.title = row.title }
  }

  func show(_ state: LoadState, of recipe: Recipe) {
    switch state {
    case .idle, .failed: view?.picture = nil
    case .loading(let progress): view?.picture = progress.standIn?.content(as: Thumbnail.self)
    case .loaded(let blob): view?.picture = blob.content(as: Thumbnail.self)
    }
  }

  func prepareForReuse() { view?.picture = nil }
}

/// What a thumbnail is shown in.
@MainActor final class ThumbnailView {
  var title = ""
  var picture: Thumbnail?
}

func mediaBesideTheApp() -> WorkerMedia {
  let app = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  let helper = app.deletingLastPathComponent().appendingPathComponent("media-helper")
  let media = WorkerMedia(.init(executable: helper))
  return media
}
