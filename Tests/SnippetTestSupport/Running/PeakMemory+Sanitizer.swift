package import SnippetBase

extension PeakMemory {
  /// Whether it says something of the code: the Thread Sanitizer takes several times as much itself.
  package static var isMeaningful: Bool { dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil }
}
