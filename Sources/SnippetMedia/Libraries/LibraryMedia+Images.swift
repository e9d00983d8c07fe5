internal import CMedia
internal import Foundation
internal import SnippetStorage

extension LibraryMedia {
  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image.
  ///   - request: The requested size and form.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The picture, not larger than the image.
  /// - Throws: ``MediaError``
  public func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    let content = try content(of: image, as: .image)
    let image = try image.withoutJunk()
    let bytes =
      try content.type.isRaw
      ? previewBytes(of: image, isCancelled: isCancelled)
      : imageBytes(of: image, isCancelled: isCancelled)
    return try withDeadline(isCancelled) { deadline throws(MediaError) in
      let bytes = try decodable(bytes, content, deadline)
      return try make(request, bytes, content.type, deadline)
    }
  }

  private func decodable(
    _ bytes: Data,
    _ content: RecognizedContent,
    _ deadline: MediaDeadline
  ) throws(MediaError) -> Data {
    // Without libvips the conversion would be useless.
    guard content.type == .bmp, snippet_image_start() == 0 else { return bytes }
    return try BitmapImage(bytes, content.facts).tiff(limits, deadline)
  }

  /// Reads the largest JPEG of a raw picture.
  private func previewBytes(
    of image: MediaInput,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Data {
    guard let preview = try image.rawPreview() else { throw MediaError(.unreadable) }
    let part = PartOfSource(source: image, part: preview.place)
    let input = MediaInput(byteCount: part.byteCount) { try part.read(into: $0, at: $1) }
    return preview.file(try imageBytes(of: input, isCancelled: isCancelled))
  }

  private func imageBytes(
    of image: MediaInput,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Data {
    guard image.byteCount <= limits.maximumImageByteCount else {
      throw MediaError(
        .tooLarge,
        reason: "it has more than \(limits.maximumImageByteCount) bytes"
      )
    }
    return try image.allBytes(isCancelled: isCancelled)
  }

  private func make(
    _ request: ThumbnailRequest,
    _ bytes: Data,
    _ type: ContentType,
    _ deadline: MediaDeadline
  ) throws(MediaError) -> Thumbnail {
    var picture = snippet_image_picture()
    var reason = snippet_image_reason()
    let isEncoded = request.isEncoded
    let form = isEncoded ? snippet_image_encoded : snippet_image_rgba
    let status = withUnsafePointer(to: deadline) { deadline in
      bytes.withUnsafeBytes {
        snippet_image_thumbnail(
          $0.baseAddress,
          $0.count,
          Int32(request.maximumPixelSize),
          Int32(form.rawValue),
          UInt64(limits.maximumPixelCount),
          { $0?.assumingMemoryBound(to: MediaDeadline.self).pointee.isOver == true ? 1 : 0 },
          UnsafeMutableRawPointer(mutating: deadline),
          &picture,
          &reason
        )
      }
    }
    guard status == 0, let start = picture.bytes else {
      if status == Int32(snippet_image_stopped.rawValue) { throw deadline.error }
      throw MediaError(imageStatus: status, reason.words, type, limits)
    }
    defer { snippet_image_free(start) }
    // A raw picture is decoded from a smaller one within.
    let size = type.isRaw ? nil : picture.uprightSize
    let thumbnail = Thumbnail(
      pixelWidth: Int(picture.width),
      pixelHeight: Int(picture.height),
      form: isEncoded ? picture.is_webp != 0 ? .webP : .jpeg : .rgba,
      bytes: Data(bytes: start, count: picture.byte_count),
      imagePixelWidth: size?.width,
      imagePixelHeight: size?.height
    )
    guard let thumbnail else { throw MediaError(undecodable: "", type) }
    return thumbnail
  }

  /// Runs work with its deadline, which the work must not keep.
  func withDeadline<Result>(
    _ isCancelled: () -> Bool,
    _ work: (MediaDeadline) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    try withoutActuallyEscaping(isCancelled) { isCancelled throws(MediaError) in
      try work(MediaDeadline(limits, isCancelled: isCancelled))
    }
  }
}

extension MediaError {
  fileprivate init(
    imageStatus status: Int32,
    _ words: String,
    _ type: ContentType,
    _ limits: MediaLimits
  ) {
    switch snippet_image_status(rawValue: UInt32(status)) {
    case snippet_image_no_library, snippet_image_no_loader: self.init(noDecoderFor: type)
    case snippet_image_too_large:
      self.init(.tooLarge, reason: "it has more than \(limits.maximumPixelCount) pixels")
    // The container is known, but not its codec: a HEIC without HEVC.
    case _ where words.contains("nsupported codec") || words.contains("No decoding plugin"):
      self.init(noDecoderFor: type)
    default: self.init(undecodable: words, type)
    }
  }
}

extension snippet_image_picture {
  /// The size of the image, turned as the picture is.
  fileprivate var uprightSize: (width: Int, height: Int) {
    let (long, short) = (Double(image_width), Double(image_height))
    let ratio = Double(width) / Double(max(1, height))
    let isTurned = abs(short / max(1, long) - ratio) < abs(long / max(1, short) - ratio)
    return isTurned
      ? (Int(image_height), Int(image_width)) : (Int(image_width), Int(image_height))
  }
}

extension snippet_image_reason {
  fileprivate var words: String { withUnsafeBytes(of: text) { String(zeroTerminated: $0) } }
}

extension String {
  /// Reads text from a C field.
  init(zeroTerminated field: UnsafeRawBufferPointer) {
    self.init(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
