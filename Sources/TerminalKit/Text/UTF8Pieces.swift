/// The scalars in bytes that should be UTF-8, and the invalid bytes.
struct UTF8Pieces: IteratorProtocol {
  /// A decoded scalar, or a byte that is not part of one.
  enum Piece: Equatable {
    case scalar(Unicode.Scalar)
    case invalid(UInt8)

    /// The scalar, if this is one.
    var scalar: Unicode.Scalar? {
      guard case .scalar(let scalar) = self else { return nil }
      return scalar
    }
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var invalidEnd = 0
  private var unread: ArraySlice<UInt8>.Iterator
  private var parser = Unicode.UTF8.ForwardParser()

  /// Makes an iterator at the first byte.
  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    unread = self.bytes[...].makeIterator()
  }

  mutating func next() -> Piece? {
    if offset < invalidEnd { return nextInvalidByte() }
    switch parser.parseScalar(from: &unread) {
    case .valid(let encoded):
      offset += encoded.count
      return .scalar(Unicode.UTF8.decode(encoded))
    case .error(let length):
      invalidEnd = offset + length
      return nextInvalidByte()
    case .emptyInput:
      return nil
    }
  }

  private mutating func nextInvalidByte() -> Piece {
    defer { offset += 1 }
    return .invalid(bytes[offset])
  }
}
