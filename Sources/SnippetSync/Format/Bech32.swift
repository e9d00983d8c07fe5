/// The spelling of keys in age: letters and digits that are hard to confuse, with a checksum.
///
/// As BIP 173 has it, without its bound on the length.
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumLength = 6

  /// Spells bytes after a prefix of small letters.
  static func encode(_ bytes: [UInt8], prefix: String) -> String {
    var values = groups(of: bytes, from: 8, to: 5)
    let blank = [UInt8](repeating: 0, count: checksumLength)
    let sum = remainder(prefix.utf8, values + blank) ^ 1
    values += (1...checksumLength).map { UInt8(sum >> (5 * (checksumLength - $0)) & 31) }
    return prefix + "1" + String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// Reads what ``encode(_:prefix:)`` returned, in small or in capital letters.
  ///
  /// - Returns: The bytes; `nil` for another prefix, a mixture of small and capital letters, or any
  ///   other mistake.
  static func decode(_ text: String, prefix: String) -> [UInt8]? {
    let small = text.lowercased()
    // Beyond ASCII there are letters that become one of these: the sign of Kelvin is a small k.
    guard text.utf8.allSatisfy({ $0 < 0x80 }), text == small || text == text.uppercased(),
      small.hasPrefix(prefix + "1")
    else { return nil }
    let letters = small.utf8.dropFirst(prefix.utf8.count + 1)
    let values = letters.compactMap { alphabet.firstIndex(of: $0).map(UInt8.init) }
    guard values.count == letters.count, values.count >= checksumLength,
      remainder(prefix.utf8, values) == 1
    else { return nil }
    let data = Array(values.dropLast(checksumLength))
    let bytes = groups(of: data, from: 5, to: 8).prefix(data.count * 5 / 8)
    // The bits that are left over must be zero, and fewer than a letter has.
    return groups(of: Array(bytes), from: 8, to: 5) == data ? Array(bytes) : nil
  }

  /// Divides bits into groups of another size, the last filled up with zeros.
  private static func groups(of values: [UInt8], from old: Int, to new: Int) -> [UInt8] {
    var (groups, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for value in values {
      bits = (bits << old | Int(value)) & 0xfff
      count += old
      while count >= new {
        count -= new
        groups.append(UInt8(bits >> count & (1 << new - 1)))
      }
    }
    return count == 0 ? groups : groups + [UInt8(bits << (new - count) & (1 << new - 1))]
  }

  /// Computes the remainder by which the checksum is found and checked.
  private static func remainder(_ prefix: String.UTF8View, _ values: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    return (prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 } + values)
      .reduce(1) { sum, value in
        (0..<5).filter { sum >> (25 + UInt32($0)) & 1 == 1 }
          .reduce((sum & 0x1ff_ffff) << 5 ^ UInt32(value)) { $0 ^ generator[$1] }
      }
  }
}
