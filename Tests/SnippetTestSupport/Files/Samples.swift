package import Foundation
package import SnippetStorage

/// Content that many tests use.
package enum Samples {
  /// The start of a year, which is a whole second.
  package static let date = Date(timeIntervalSince1970: 1_767_225_600)

  /// Short texts in several scripts.
  package static let texts = [
    "Milk, eggs, bread", "Grüße aus Köln", "naïve café", "Привет, мир", "שלום עולם",
    "مرحبا بالعالم",
    "牛乳、卵、パン", "한국어 문장", "👩‍👩‍👧 and 🇩🇪", "line one\nline two\n",
  ]

  /// A PNG of one transparent pixel.
  package static let png =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    ) ?? Data()

  /// A WAV of silence; 8,000 frames of one byte each make a second.
  package static func wav(frameCount: Int = 8000) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> Data {
      withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
    let count = UInt32(frameCount)
    var data = Data("RIFF".utf8) + bytes(36 + count) + Data("WAVEfmt ".utf8) + bytes(UInt32(16))
    data += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(8000)) + bytes(UInt32(8000))
    data += bytes(UInt16(1)) + bytes(UInt16(8)) + Data("data".utf8) + bytes(count)
    return data + Data(repeating: 0x80, count: frameCount)
  }

  /// Bytes that look like noise; the same seed gives the same.
  package static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
    var generator = SeededGenerator(seed: seed)
    let words = (0..<(count + 7) / 8).map { _ in generator.next().littleEndian }
    return words.withUnsafeBytes { Data($0.prefix(count)) }
  }

  /// An image of any bytes, in an unknown format.
  package static func image(
    _ bytes: Data,
    title: String = "",
    tags: [String] = [],
    isPinned: Bool = false,
    createdAt: Date? = nil
  ) -> SnippetDraft {
    SnippetDraft(
      .bytes(bytes),
      kind: .image,
      mediaType: "image/x-sample",
      title: title,
      tags: tags,
      isPinned: isPinned,
      createdAt: createdAt
    )
  }

  /// A recording of any bytes, in an unknown format.
  package static func voice(
    _ bytes: Data,
    title: String = "",
    tags: [String] = [],
    isPinned: Bool = false,
    createdAt: Date? = nil
  ) -> SnippetDraft {
    var draft = image(
      bytes,
      title: title,
      tags: tags,
      isPinned: isPinned,
      createdAt: createdAt
    )
    draft.kind = .voice
    draft.mediaType = "audio/x-sample"
    return draft
  }

  /// A text that is too long to be stored beside its row, and so is a blob.
  package static func longText(_ letter: Character = "a") -> String {
    String(repeating: "\(letter) long text. ", count: 6000)
  }
}
