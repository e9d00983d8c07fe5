import Foundation
import SnippetBase

@testable import SnippetRecognition

extension FuzzTarget {
  /// Tells what a file is by the headers of pictures and recordings, and by the encodings of texts;
  /// and why a store does not take it.
  static let content = FuzzTarget("content") { bytes in
    let source = CountedBytes(Data(bytes))
    let content = try ContentRecognizer.recognize(source)

    let limit = HeaderReader.maximumByteCount + 3 * (bytes.count + 4096)
    let readCount = source.readByteCount
    try require(readCount <= limit, "at most \(limit) bytes are read, not \(readCount)")
    guard let content else {
      _ = try ContentRecognizer.refusal(of: source)
      let count = source.readByteCount - readCount
      try require(count <= HeaderReader.maximumByteCount, "a reason takes \(count) bytes")
      return
    }
    try require(content.facts == content.facts.withinBounds, "facts are in bounds: \(content)")
    let isText = content.type.kind == .text
    try require(isText == (content.encoding != nil), "texts have an encoding: \(content)")
    try requireTitle(content.title)
    if let date = content.dates.best {
      let years = Date.distantPast...Date.distantFuture
      try require(years.contains(date), "a picture is of some year: \(date)")
    }
  }

  private static func requireTitle(_ title: String?) throws(BrokenRule) {
    guard let title else { return }
    try require((1...200).contains(title.count), "a title has up to 200 characters: \(title)")
    try require(title.unicodeScalars.count <= 1000, "a title has up to 1,000 code points")
    try require(
      title.foldingWhiteSpace() == title,
      "a title is one line: \(title.debugDescription)"
    )
    let isClean = title.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0 != "\u{FFFD}"
    }
    try require(isClean, "a title has no control characters: \(title.debugDescription)")
  }
}

/// Bytes in memory that count how many of them are read.
private final class CountedBytes: ByteSource {
  private let bytes: MemoryBytes
  private let count = Lock(0)

  init(_ data: Data) {
    bytes = MemoryBytes(data: data)
  }

  var byteCount: Int64 { bytes.byteCount }

  var readByteCount: Int { count.withLock { $0 } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let read = try bytes.read(into: buffer, at: offset)
    count.withLock { $0 += read }
    return read
  }
}
