import CTransfer
import Foundation

/// Streams of zlib, as RFC 1950 describes them.
enum Compression {
  /// The level of zlib.
  ///
  /// Notes become 3 % longer than by the usual level 6, in half the time.
  private static let level: Int32 = 4

  /// Compresses bytes.
  static func deflate(_ bytes: Data) -> Data {
    var count = compressBound(UInt(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    // Fails only without memory.
    let result = compress2(&packed, &count, Array(bytes), UInt(bytes.count), level)
    precondition(result == Z_OK, "zlib cannot compress.")
    return Data(packed.prefix(Int(count)))
  }

  /// Returns what was compressed.
  ///
  /// - Parameters:
  ///   - packed: The compressed bytes.
  ///   - limit: The most bytes to return.
  /// - Returns: The bytes; `nil` if there are more of them, if the stream is damaged or cut off, or
  ///   if other bytes follow it.
  static func inflate(_ packed: Data, limit: Int) -> Data? {
    var (count, consumed, result) = (UInt(limit), UInt(packed.count), Z_OK)
    // The system provides only the pages that are written.
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { bytes, initialized in
      result = uncompress2(bytes.baseAddress, &count, Array(packed), &consumed)
      initialized = Int(count)
    }
    return result == Z_OK && consumed == UInt(packed.count) ? Data(bytes) : nil
  }
}
