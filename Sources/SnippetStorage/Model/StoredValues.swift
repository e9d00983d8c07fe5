package import Foundation

// How moments, spans of time and identities are stored.

extension Date {
  /// The moment so many milliseconds after the start of 1970, UTC.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since the start of 1970, UTC, held within the years 1 to 9999 that the schema
  /// allows.
  package var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -62_135_596_800_000), 253_402_300_799_999))
  }
}

extension Duration {
  /// The length in whole milliseconds.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension UUID {
  /// The identity with these 16 bytes; `nil` for any other number of bytes.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// A new identity that sorts by a moment: version 7 of RFC 9562.
  static func timeOrdered(at date: Date) -> UUID {
    // Not of a UUID that Foundation makes: on Linux it opens a file for each.
    var random = SystemRandomNumberGenerator()
    let milliseconds = UInt64(clamping: date.milliseconds)
    let high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
    let low = 0b10 << 62 | random.next() >> 2
    let bytes = (high.bigEndian, low.bigEndian)
    return UUID(uuid: withUnsafeBytes(of: bytes) { $0.loadUnaligned(as: uuid_t.self) })
  }
}
