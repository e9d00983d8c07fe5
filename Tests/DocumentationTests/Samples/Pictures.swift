import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage

@MainActor func pictures(in store: SnippetStore, media: WorkerMedia) -> SnippetDataSource {
  // Thumbnails and waveforms are made once and kept in the store.
  let list = store.list(SnippetFilter(kinds: [.image]))
  let dataSource = SnippetDataSource(list: list, store: store, media: media)
  dataSource.register(ThumbnailPresenter.init, for: .image)
  return dataSource
}

final class ThumbnailPresenter: ContentPresenter {
  let recipe = TypedRecipe<Thumbnail>.thumbnail()

  func update(_ field: SnippetField, of row: SnippetRow, in view: ThumbnailView) {
    if field == .title { view.title = row.title }
  }

  func show(_ picture: ContentState<Thumbnail>, in view: ThumbnailView) {
    view.picture = picture.content  // or a smaller one, until it is here
  }
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
