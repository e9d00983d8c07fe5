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
    let limit = Int(count)
    let packed = [UInt8](unsafeUninitializedCapacity: limit) { packed, initialized in
      let result = bytes.withUnsafeBytes { bytes in
        let text = bytes.assumingMemoryBound(to: UInt8.self)
        return compress2(packed.baseAddress, &count, text.baseAddress, UInt(text.count), level)
      }
      // Fails only without memory.
      precondition(result == Z_OK, "zlib cannot compress.")
      initialized = Int(count)
    }
    return Data(packed)
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
