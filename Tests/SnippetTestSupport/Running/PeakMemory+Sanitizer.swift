package import SnippetBase

extension PeakMemory {
  /// Whether it measures the code: the Thread Sanitizer itself takes several times as much.
  package static var isMeaningful: Bool { dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil }
}
