package import SnippetBase

extension PeakMemory {
  /// Whether it measures the code: the Thread Sanitizer takes several times as much itself, and the
  /// Address Sanitizer keeps what was freed.
  package static var isMeaningful: Bool {
    let names = ["__tsan_init", "__asan_init"]
    return names.allSatisfy { name in dlsym(dlopen(nil, RTLD_NOW), name) == nil }
  }
}
