import SnippetLoading
import SnippetMedia
import SnippetStorage

@MainActor func pictureLoader(of store: SnippetStore, media: WorkerMedia) -> SnippetLoader {
  SnippetLoader(
    list: store.list(),
    source: MediaSource(store, media: media),  // makes thumbnails once and keeps them in the store
    rules: .media(media)  // a cell gets a Thumbnail of pixels, or a Waveform of peaks
  )
}
