import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport

/// The ways in which content can be given.
enum Source: String, CaseIterable, Sendable {
  case bytes, file, stream, collected

  /// Gives bytes in this way; those of a stream come in pieces of odd sizes, some of them empty.
  func content(_ bytes: Data) async throws -> SnippetContent {
    switch self {
    case .bytes:
      return .bytes(bytes)
    case .file:
      let file = TemporaryDirectory.file("content-\(UUID().uuidString)")
      try bytes.write(to: file)
      return .file(at: file)
    case .stream:
      let pieces = Lock(Self.pieces(of: bytes)[...])
      return .stream { pieces.withLock { $0.popFirst() } }
    case .collected:
      let pieces = Self.pieces(of: bytes)
      return try await .collecting(
        AsyncStream { continuation in
          for piece in pieces { continuation.yield(piece) }
          continuation.finish()
        }
      )
    }
  }

  private static func pieces(of bytes: Data) -> [Data] {
    var pieces = [Data()]
    var rest = bytes[...]
    var size = 1
    while !rest.isEmpty {
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      size = min(size * 3, 300_001)
      if pieces.count == 3 { pieces.append(Data()) }
    }
    return pieces
  }
}

/// A draft that cannot be saved.
struct RefusedDraft: Sendable, CustomStringConvertible {
  var description: String
  var draft: SnippetDraft
  var code: SnippetStoreError.Code = .unsupportedContent

  static let all = [
    RefusedDraft("a picture as voice", SnippetDraft(.bytes(Samples.png), kind: .voice)),
    RefusedDraft("a picture as text", SnippetDraft(.bytes(Samples.png), kind: .text)),
    RefusedDraft("a text as image", SnippetDraft(.text("no"), kind: .image)),
    RefusedDraft("text bytes as voice", SnippetDraft(.bytes(Data("no".utf8)), kind: .voice)),
    RefusedDraft("nothing", SnippetDraft(.bytes(Data()))),
    RefusedDraft("nothing as image", Samples.image(Data())),
    RefusedDraft("an empty stream", SnippetDraft(.stream { nil })),
    RefusedDraft("an empty stream as voice", empty),
    RefusedDraft("an unknown format", SnippetDraft(.bytes(noise))),
    RefusedDraft("an unknown format as image", SnippetDraft(.bytes(noise), kind: .image)),
    RefusedDraft("an unknown format with a type", SnippetDraft(.bytes(noise), mediaType: "a/b")),
    RefusedDraft(
      "an unknown format as text",
      SnippetDraft(.bytes(noise), kind: .text, mediaType: "text/x-sample")
    ),
    RefusedDraft(
      "a title too long",
      SnippetDraft(.text("a"), title: String(repeating: "b", count: 1001)),
      .invalidInput
    ),
    RefusedDraft("a tag with a comma", SnippetDraft(.text("a"), tags: ["b,c"]), .invalidInput),
    RefusedDraft("an empty tag", SnippetDraft(.text("a"), tags: [" "]), .invalidInput),
    RefusedDraft(
      "a tag too long",
      SnippetDraft(.text("a"), tags: [String(repeating: "b", count: 101)]),
      .invalidInput
    ),
  ]

  private static let noise = Data([0x00, 0xFF, 0x81, 0x07]) + Samples.bytes(400)
  private static let empty = SnippetDraft(
    .stream { nil },
    kind: .voice,
    mediaType: "audio/x-sample"
  )

  private init(
    _ description: String,
    _ draft: SnippetDraft,
    _ code: SnippetStoreError.Code = .unsupportedContent
  ) {
    (self.description, self.draft, self.code) = (description, draft, code)
  }
}
