package import Foundation
import SnippetBase

// Conversions of times, durations and identities for storage.

extension Date {
  /// Makes a date from milliseconds since the start of 1970, UTC.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The milliseconds since the start of 1970, UTC, limited to the years 1 to 9999 that the schema
  /// allows.
  package var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -62_135_596_800_000), 253_402_300_799_999))
  }
}

extension Duration {
  /// The length in whole milliseconds, at most a million years.
  package var milliseconds: Int64 {
    // A stored waveform can tell a length that does not fit.
    let limit = Duration.seconds(1_000_000 * 31_556_952)
    let (seconds, attoseconds) = min(max(self, .zero - limit), limit).components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension UUID {
  /// Makes an identity from 16 bytes; `nil` for any other number of bytes.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// The 12 bits between the time and the random bits of the last new identity.
  private static let counter = Lock(UInt64.random(in: 0...0x0FFF))

  /// Makes a new identity that sorts by time: version 7 of RFC 9562.
  ///
  /// Those of one millisecond mostly sort in the order in which they were made.
  static func timeOrdered(at date: Date) -> UUID {
    // Foundation's own UUIDs are slower: on Linux each of them opens a file. More random bits would
    // take another call of the system, a tenth of the time for preparing a short text.
    let milliseconds = UInt64(clamping: date.milliseconds)
    let count = counter.withLock { counter in
      counter = (counter + 1) & 0x0FFF
      return counter
    }
    let high = milliseconds << 16 | 0x7000 | count
    let low = 0b10 << 62 | UInt64.random(in: 0...(.max)) >> 2
    let bytes = (high.bigEndian, low.bigEndian)
    return UUID(uuid: withUnsafeBytes(of: bytes) { $0.loadUnaligned(as: uuid_t.self) })
  }
}
