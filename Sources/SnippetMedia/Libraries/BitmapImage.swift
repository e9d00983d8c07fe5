internal import CMedia
internal import Foundation
internal import SnippetStorage

/// A BMP, decoded with libav.
///
/// libvips has no loader of its own for BMP, and that of ImageMagick is not safe for untrusted
/// files.
struct BitmapImage {
  private let file: Data
  private let facts: MediaFacts

  /// Wraps a file.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - facts: The facts from its header.
  init(_ file: Data, _ facts: MediaFacts) {
    (self.file, self.facts) = (file, facts)
  }

  /// Converts the picture to a TIFF, which libvips can load.
  ///
  /// - Parameters:
  ///   - limits: The limits of decoding.
  ///   - deadline: The deadline.
  /// - Returns: The file.
  /// - Throws: ``MediaError/Code/undecodable``, ``MediaError/Code/noDecoder``,
  ///   ``MediaError/Code/tooLarge``, ``MediaError/Code/timedOut``, ``MediaError/Code/cancelled``
  func tiff(_ limits: MediaLimits, _ deadline: MediaDeadline) throws(MediaError) -> Data {
    try check(limits)
    if deadline.isOver { throw deadline.error }
    var bitmap = snippet_bitmap()
    var reason = snippet_libav_reason()
    let status = try filledUp().withUnsafeBytes {
      snippet_bitmap_open($0.baseAddress, $0.count, limits.maximumPixelCount, &bitmap, &reason)
    }
    defer { snippet_bitmap_close(&bitmap) }
    guard status == 0 else {
      let words = withUnsafeBytes(of: reason.text) { String(zeroTerminated: $0) }
      throw status == Int32(snippet_libav_damaged.rawValue)
        ? MediaError(undecodable: words, .bmp) : MediaError(noDecoderFor: .bmp)
    }
    let size = PlainTIFF.Size(
      width: Int(bitmap.width),
      height: Int(bitmap.height),
      channelCount: Int(bitmap.channel_count)
    )
    var tiff = PlainTIFF(size)
    var row = [UInt8](repeating: 0, count: size.width * size.channelCount)
    for y in 0..<size.height {
      if y % 64 == 0, deadline.isOver { throw deadline.error }
      row.withUnsafeMutableBufferPointer {
        snippet_bitmap_row(&bitmap, Int32(y), $0.baseAddress)
      }
      tiff.set(y, to: row)
    }
    return tiff.bytes
  }

  // OS/2 also has runs of 24 bits and fax codings, and Windows has files embedded for printers.
  private static let codings: ClosedRange<UInt32> = 0...3
  private static let pixelBitCounts: Set<UInt16> = [1, 4, 8, 16, 24, 32]

  /// Checks the format and the limits before any work on pixels.
  private func check(_ limits: MediaLimits) throws(MediaError) {
    let isOfFirstVersion = try number(at: 14, as: UInt32.self) == 12
    let coding = isOfFirstVersion ? 0 : try number(at: 30, as: UInt32.self)
    let bitCount = try number(at: isOfFirstVersion ? 24 : 28, as: UInt16.self)
    guard Self.codings.contains(coding), Self.pixelBitCounts.contains(bitCount) else {
      throw MediaError(noDecoderFor: .bmp)
    }
    // Each is below 2^31.
    let pixelCount = Int64(facts.pixelWidth ?? 0) * Int64(facts.pixelHeight ?? 0)
    guard pixelCount <= min(limits.maximumPixelCount, Int64(PlainTIFF.maximumByteCount / 4)) else {
      throw MediaError(.tooLarge, reason: "it has more than \(limits.maximumPixelCount) pixels")
    }
    // The decoded pixels, their copy, and the file twice.
    guard pixelCount * 8 + 2 * Int64(file.count) <= limits.maximumMemoryByteCount else {
      throw MediaError(
        .tooLarge,
        reason: "it takes more than \(limits.maximumMemoryByteCount) bytes of memory"
      )
    }
  }

  /// Returns the file with black rows in place of those that a file which is cut short lacks.
  ///
  /// Rows that are packed have no fixed place.
  private func filledUp() throws(MediaError) -> Data {
    guard try number(at: 14, as: UInt32.self) != 12, try number(at: 30, as: UInt32.self) % 3 == 0,
      let width = facts.pixelWidth, let height = facts.pixelHeight
    else { return file }
    let start = Int(try number(at: 10, as: UInt32.self))
    let rowByteCount = (width * Int(try number(at: 28, as: UInt16.self)) + 31) / 32 * 4
    let missingCount = start + rowByteCount * height - file.count
    // Of a picture without a single row there is nothing to show.
    guard missingCount > 0, file.count >= start + rowByteCount else { return file }
    return file + Data(count: missingCount)
  }

  private func number<Number: FixedWidthInteger>(
    at offset: Int,
    as type: Number.Type
  ) throws(MediaError) -> Number {
    guard file.count >= offset + MemoryLayout<Number>.size else {
      throw MediaError(undecodable: "it ends within its header", .bmp)
    }
    return file.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}
