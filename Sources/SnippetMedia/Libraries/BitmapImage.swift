internal import CMedia
internal import Foundation
internal import SnippetStorage

/// A BMP, for which libvips has no loader of its own, and that of ImageMagick is not for files from
/// anywhere; libav has one.
struct BitmapImage {
  private let file: Data
  private let facts: MediaFacts

  /// Takes a file.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - facts: What its header tells.
  init(_ file: Data, _ facts: MediaFacts) {
    (self.file, self.facts) = (file, facts)
  }

  /// The same picture as a TIFF, which libvips takes.
  ///
  /// - Parameters:
  ///   - limits: What may be taken.
  ///   - deadline: When to stop.
  /// - Returns: The file.
  /// - Throws: ``MediaError/Code/undecodable``, ``MediaError/Code/noDecoder``,
  ///   ``MediaError/Code/tooLarge``, ``MediaError/Code/timedOut``, ``MediaError/Code/cancelled``
  func tiff(_ limits: MediaLimits, _ deadline: MediaDeadline) throws(MediaError) -> Data {
    try check(limits)
    if deadline.isOver { throw deadline.error }
    var bitmap = snippet_bitmap()
    var reason = snippet_libav_reason()
    let status = file.withUnsafeBytes {
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

  // OS/2 has runs of 24 bits and codings for fax, Windows files within a file for printers.
  private static let codings: ClosedRange<UInt32> = 0...3
  private static let pixelBitCounts: Set<UInt16> = [1, 4, 8, 16, 24, 32]

  /// Checks what it is and what it takes, before anything is done for each pixel.
  private func check(_ limits: MediaLimits) throws(MediaError) {
    let isOfFirstVersion = try number(at: 14, as: UInt32.self) == 12
    let coding = isOfFirstVersion ? 0 : try number(at: 30, as: UInt32.self)
    let bitCount = try number(at: isOfFirstVersion ? 24 : 28, as: UInt16.self)
    guard Self.codings.contains(coding), Self.pixelBitCounts.contains(bitCount) else {
      throw MediaError(noDecoderFor: .bmp)
    }
    // Each below 2^31.
    let pixelCount = Int64(facts.pixelWidth ?? 0) * Int64(facts.pixelHeight ?? 0)
    guard pixelCount <= min(limits.maximumPixelCount, Int64(PlainTIFF.maximumByteCount / 4)) else {
      throw MediaError(.tooLarge, reason: "it has more than \(limits.maximumPixelCount) pixels")
    }
    // The pixels as they are decoded and as they are handed over, and the file twice.
    guard pixelCount * 8 + 2 * Int64(file.count) <= limits.maximumMemoryByteCount else {
      throw MediaError(
        .tooLarge,
        reason: "it takes more than \(limits.maximumMemoryByteCount) bytes of memory"
      )
    }
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
