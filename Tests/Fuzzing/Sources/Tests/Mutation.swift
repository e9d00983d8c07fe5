import SnippetTestSupport

/// Bytes of a corpus, changed as a fuzzer would.
struct Mutation {
  private let files: [[UInt8]]
  private var generator: SeededGenerator

  /// Numbers at which something may begin or end.
  private static let edges: [UInt8] = [0, 1, 0x0A, 0x20, 0x7F, 0x80, 0xC2, 0xFE, 0xFF]
  private static let maximumByteCount = 1 << 14

  /// Begins with some files.
  ///
  /// - Parameters:
  ///   - files: The corpus.
  ///   - generator: Draws what is changed.
  init(of files: [[UInt8]], by generator: SeededGenerator) {
    self.files = files
    self.generator = generator
  }

  /// The next bytes.
  mutating func next() -> [UInt8] {
    var bytes = files.isEmpty ? [] : generator.element(of: files)
    for _ in 0...generator.below(4) { change(&bytes) }
    return Array(bytes.prefix(Self.maximumByteCount))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = generator.below(bytes.count + 1)
    let length = 1 + generator.below(1 << generator.below(6))
    let piece = place..<min(bytes.count, place + length)
    switch generator.below(7) {
    case 0 where !piece.isEmpty: bytes[place] ^= 1 << UInt8(generator.below(8))
    case 1 where !piece.isEmpty: bytes[place] = generator.element(of: Self.edges)
    case 2: bytes.removeSubrange(piece)
    case 3: bytes.insert(contentsOf: bytes[piece], at: generator.below(bytes.count + 1))
    case 4: bytes.removeLast(bytes.count - place)
    case 5:
      let other = files.isEmpty ? [] : generator.element(of: files)
      bytes = Array(bytes[..<place] + other.suffix(generator.below(other.count + 1)))
    default:
      let byte = UInt8(generator.below(256))
      bytes.insert(contentsOf: repeatElement(byte, count: length), at: place)
    }
  }
}
