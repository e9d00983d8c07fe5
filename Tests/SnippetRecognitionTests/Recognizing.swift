import SnippetRecognition

/// Recognizes bytes in memory, of which not more may be read than headers need.
func recognize(_ bytes: [UInt8]) throws -> RecognizedContent? {
  try ContentRecognizer.recognize(MemoryBytes(bytes))
}
