import Foundation

/// Bytes in Base64 that come in pieces.
///
/// Whatever is none of its characters is passed over.
struct Base64Decoding {
  /// The bytes so far.
  private(set) var data = Data()
  private var bits: UInt32 = 0
  private var bitCount = 0

  private static let pieceByteCount = 1 << 16
  /// The values of all bytes; 64 for those that are none of the characters.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in characters.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Adds the next characters.
  mutating func add(_ characters: UnsafeBufferPointer<UInt8>) {
    let values = Self.values
    var piece: [UInt8] = []
    piece.reserveCapacity(min(characters.count, Self.pieceByteCount))
    var (bits, bitCount) = (self.bits, self.bitCount)
    for character in characters {
      let value = values[Int(character)]
      guard value < 64 else { continue }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      piece.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      if piece.count == Self.pieceByteCount {
        data.append(contentsOf: piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    data.append(contentsOf: piece)
    (self.bits, self.bitCount) = (bits, bitCount)
  }
}
