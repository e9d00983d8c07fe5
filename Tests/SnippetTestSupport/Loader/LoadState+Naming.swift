package import SnippetLoading

extension LoadState<LoadedBlob> {
  /// The first attempt is running, without a stand-in.
  package static var waiting: Self { .loading(LoadProgress()) }
}
