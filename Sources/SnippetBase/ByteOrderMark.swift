/// The bytes that some programs put before a text to tell its encoding.
package enum ByteOrderMark {
  /// The mark of UTF-8.
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
