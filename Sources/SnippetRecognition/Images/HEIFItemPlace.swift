/// The location of an item in a HEIF image.
///
/// ISO/IEC 14496-12, section 8.11.3.
struct HEIFItemPlace {
  /// The position of the item in the file.
  let offset: Int64

  /// Finds the first part of an item; `nil` if its location is not given or is not in the file
  /// itself.
  ///
  /// - Parameters:
  ///   - item: The number of the item.
  ///   - meta: The box that lists the items.
  ///   - reader: The bytes.
  /// - Throws: ``HeaderReader/OutOfReach``, or errors of the source.
  init?(of item: UInt32, in meta: ISOBox, _ reader: inout HeaderReader) throws {
    guard let box = try meta.child("iloc", in: &reader) else { return nil }
    var numbers = Numbers(offset: box.content.lowerBound)
    let version = try numbers.next(1, &reader)
    _ = try numbers.next(3, &reader)
    let sizes = try numbers.next(2, &reader)
    let widths = [12, 8, 4, 0].map { Int(sizes >> $0 & 0xF) }
    let indexWidth = version == 0 ? 0 : widths[3]
    for _ in 0..<(try numbers.next(version < 2 ? 2 : 4, &reader)) {
      let number = try numbers.next(version < 2 ? 2 : 4, &reader)
      let method = version == 0 ? 0 : try numbers.next(2, &reader) & 0xF
      _ = try numbers.next(2, &reader)
      let base = try numbers.next(widths[2], &reader)
      let extentCount = try numbers.next(2, &reader)
      for extent in 0..<extentCount {
        _ = try numbers.next(indexWidth, &reader)
        let offset = try numbers.next(widths[0], &reader)
        _ = try numbers.next(widths[1], &reader)
        guard number == item, extent == 0 else { continue }
        let (place, isTooFar) = base.addingReportingOverflow(offset)
        guard method == 0, !isTooFar, let place = Int64(exactly: place), place <= reader.byteCount
        else { return nil }
        self.offset = place
        return
      }
    }
    return nil
  }
}

/// Consecutive numbers of any length in bytes.
private struct Numbers {
  var offset: Int64

  /// Reads a number of up to eight bytes; zero for a length of zero.
  mutating func next(_ byteCount: Int, _ reader: inout HeaderReader) throws -> UInt64 {
    guard byteCount <= 8 else { throw HeaderReader.OutOfReach() }
    let bytes = try reader.bytes(at: offset, count: byteCount)
    offset += Int64(byteCount)
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
