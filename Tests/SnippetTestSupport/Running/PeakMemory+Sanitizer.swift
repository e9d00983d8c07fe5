package import SnippetBase

extension PeakMemory {
  /// Whether it measures the code: the Thread Sanitizer takes several times as much itself, and the
  /// Address Sanitizer keeps what was freed.
  package static var isMeaningful: Bool {
    ["__tsan_init", "__asan_init"].allSatisfy { dlsym(dlopen(nil, RTLD_NOW), $0) == nil }
  }
}
