import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage

@MainActor func snippets(in store: SnippetStore, media: WorkerMedia) -> SnippetDataSource {
  // Thumbnails and waveforms are made once and kept in the store.
  let dataSource = SnippetDataSource(list: store.list(), store: store, media: media)
  dataSource.register(ThumbnailPresenter.init, for: .image)
  dataSource.register(WaveformPresenter.init, for: .voice)
  dataSource.register(ExcerptPresenter.init, for: .text)
  return dataSource
}

final class ThumbnailPresenter: ContentPresenter {
  let recipe = TypedRecipe<Thumbnail>.thumbnail()

  func update(_ field: SnippetField, of row: SnippetRow, in view: ThumbnailView) {
    if field == .title { view.title = row.title }
  }

  func show(_ picture: LoadState<Thumbnail>, in view: ThumbnailView) {
    view.picture = picture.content  // or a smaller one, until it is here
  }
}

final class WaveformPresenter: ContentPresenter {
  let recipe = TypedRecipe<Waveform>.waveform()

  func update(_ field: SnippetField, of row: SnippetRow, in view: WaveformView) {
    if field == .title { view.title = row.title }
  }

  func show(_ waveform: LoadState<Waveform>, in view: WaveformView) {
    view.peaks = waveform.content?.peaks ?? []  // the first ones, while the others are computed
  }
}

final class ExcerptPresenter: ContentPresenter {
  let recipe = TypedRecipe<String>.excerpt

  func update(_ field: SnippetField, of row: SnippetRow, in view: ExcerptView) {
    if field == .title { view.title = row.title }
  }

  func show(_ text: LoadState<String>, in view: ExcerptView) {
    view.text = text.content ?? ""
  }
}

/// What a thumbnail is shown in.
@MainActor final class ThumbnailView {
  var title = ""
  var picture: Thumbnail?
}

/// What a waveform is shown in.
@MainActor final class WaveformView {
  var title = ""
  var peaks: [Waveform.Peak] = []
}

/// What the beginning of a text is shown in.
@MainActor final class ExcerptView {
  var title = ""
  var text = ""
}

func mediaBesideTheApp() -> WorkerMedia {
  let app = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  let worker = app.deletingLastPathComponent().appendingPathComponent("media-worker")
  let media = WorkerMedia(.init(executable: worker))
  Task.detached { media.startWorker() }  // it blocks for some 50 ms
  return media
}
