internal import Foundation
internal import SnippetStorage

/// A BMP, for which libvips has no loader of its own, and that of ImageMagick is not for files from
/// anywhere.
struct BitmapImage {
  private let file: Data
  private let header: BitmapHeader

  /// Reads the headers.
  ///
  /// - Parameter file: The whole file.
  /// - Throws: ``MediaError/Code/undecodable``, ``MediaError/Code/noDecoder``
  init(_ file: Data) throws(MediaError) {
    self.file = file
    header = try BitmapHeader(file)
  }

  /// The same picture in a format that libvips takes: as the JPEG or PNG that it holds, or else as
  /// a TIFF.
  ///
  /// - Parameters:
  ///   - limits: What may be taken.
  ///   - deadline: When to stop.
  /// - Returns: The file.
  /// - Throws: ``MediaError/Code/undecodable``, ``MediaError/Code/tooLarge``,
  ///   ``MediaError/Code/timedOut``, ``MediaError/Code/cancelled``
  func decodable(_ limits: MediaLimits, _ deadline: MediaDeadline) throws(MediaError) -> Data {
    if deadline.isOver { throw deadline.error }
    let room = BitmapRoom(limits, deadline, fileByteCount: heldByteCount)
    try room.check(header)
    switch header.coding {
    case .plain(let colors): return try BitmapRows(file, header, colors).tiff(room)
    case .runs(let colors): return try BitmapRuns(file, header, colors).tiff(room)
    case .embedded:
      let embedded = file.dropFirst(header.pixelOffset)
      guard Self.embeddable.contains(where: { embedded.starts(with: $0) }) else {
        throw MediaError(undecodable: "it holds no picture", .bmp)
      }
      return embedded
    }
  }

  /// What is in memory of the file: runs are looked at in a copy.
  private var heldByteCount: Int {
    guard case .runs = header.coding else { return file.count }
    return 2 * file.count
  }

  // How a JPEG and a PNG begin.
  private static let embeddable: [[UInt8]] = [
    [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
  ]
}
