import Foundation

/// Bytes in Base64 that come in pieces.
///
/// Whatever is none of its characters is passed over. Foundation decodes whole groups of four.
struct Base64Decoding {
  private var data = Data()
  /// The characters of a group that is not complete.
  private var rest: [UInt8] = []

  private static let pieceCharacterCount = 1 << 16
  /// Whether each byte is one of the characters.
  private static let isCharacter: [Bool] = {
    var isCharacter = [Bool](repeating: false, count: 256)
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for character in characters.utf8 { isCharacter[Int(character)] = true }
    return isCharacter
  }()

  /// Adds the next characters.
  mutating func add(_ characters: UnsafeBufferPointer<UInt8>) {
    let isCharacter = Self.isCharacter
    var piece = rest
    piece.reserveCapacity(min(characters.count + rest.count, Self.pieceCharacterCount))
    for character in characters where isCharacter[Int(character)] {
      piece.append(character)
      if piece.count == Self.pieceCharacterCount {
        decode(piece[...])
        piece.removeAll(keepingCapacity: true)
      }
    }
    let wholeCount = piece.count & ~3
    decode(piece[..<wholeCount])
    rest = Array(piece[wholeCount...])
  }

  /// Returns the bytes, with those that an incomplete group at the end tells in full.
  consuming func finish() -> Data {
    let byteCount = data.count + rest.count * 6 / 8
    // The letter for six bits that are not set.
    if !rest.isEmpty { decode((rest + [UInt8](repeating: 0x41, count: 4 - rest.count))[...]) }
    return data.prefix(byteCount)
  }

  private mutating func decode(_ groups: ArraySlice<UInt8>) {
    data += Data(base64Encoded: Data(groups)) ?? Data()
  }
}
