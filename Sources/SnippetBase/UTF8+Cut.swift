extension RandomAccessCollection<UInt8> {
  /// The number of bytes at the end that begin a UTF-8 sequence without completing it.
  @inlinable
  package var cutUTF8ByteCount: Int {
    for (index, byte) in suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let sequenceByteCount = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return sequenceByteCount > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
