package import SnippetLoading

extension LoadState {
  /// The first attempt is running, without a stand-in.
  package static var waiting: Self { .loading(LoadProgress()) }

  /// One attempt failed, and it was the last.
  package static func failed(_ error: LoadError) -> Self { .failed(LoadFailure(error)) }
}
