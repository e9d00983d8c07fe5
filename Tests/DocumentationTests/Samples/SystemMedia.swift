import Foundation
import SnippetMedia

#if canImport(AVFoundation)
import AVFoundation
#endif
#if canImport(ImageIO)
import ImageIO
#endif

struct SystemMedia: MediaMaking {}

extension SystemMedia {
  func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    guard image.byteCount <= 64 << 20 else { throw MediaError(.tooLarge) }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(image.byteCount),
      alignment: 1
    )
    defer { memory.deallocate() }
    _ = try image.read(into: memory, at: 0)

    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,  // upright
      kCGImageSourceThumbnailMaxPixelSize: request.maximumPixelSize,
    ]
    guard let source = CGImageSourceCreateWithData(Data(memory) as CFData, nil),
      let picture = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary),
      let bytes = request.isEncoded ? jpeg(of: picture) : pixels(of: picture),
      let thumbnail = Thumbnail(
        pixelWidth: picture.width,
        pixelHeight: picture.height,
        form: request.isEncoded ? .jpeg : .rgba,
        bytes: bytes
      )
    else { throw MediaError(.undecodable) }
    return thumbnail
  }

  private func pixels(of picture: CGImage) -> Data? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { return nil }
    var bytes = Data(count: picture.width * picture.height * 4)
    bytes.withUnsafeMutableBytes { memory in
      let context = CGContext(
        data: memory.baseAddress,
        width: picture.width,
        height: picture.height,
        bitsPerComponent: 8,
        bytesPerRow: picture.width * 4,
        space: space,
        bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue
      )
      context?.draw(picture, in: CGRect(x: 0, y: 0, width: picture.width, height: picture.height))
      for alpha in stride(from: 3, to: memory.count, by: 4) { memory[alpha] = 255 }
    }
    return bytes
  }

  private func jpeg(of picture: CGImage) -> Data? {
    let file = NSMutableData()
    guard
      let jpeg = CGImageDestinationCreateWithData(
        file as CFMutableData,
        "public.jpeg" as CFString,
        1,
        nil
      )
    else { return nil }
    CGImageDestinationAddImage(jpeg, picture, nil)
    return CGImageDestinationFinalize(jpeg) ? file as Data : nil
  }
}

extension SystemMedia {
  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    // AVAudioFile opens files only.
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      try copy(recording, to: file)
      return try waveform(of: try AVAudioFile(forReading: file), peakCount, isCancelled)
    } catch let error as MediaError {
      throw error
    } catch {
      throw MediaError(.undecodable, reason: error.localizedDescription)
    }
  }

  private func copy(_ recording: MediaInput, to file: URL) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { memory.deallocate() }
    var offset: Int64 = 0
    while case let count = try recording.read(into: memory, at: offset), count > 0 {
      try handle.write(contentsOf: Data(memory[..<count]))
      offset += Int64(count)
    }
  }

  private func waveform(
    of file: AVAudioFile,
    _ peakCount: Int,
    _ isCancelled: () -> Bool
  ) throws -> Waveform {
    let format = file.processingFormat
    let partLength = max(1, (Int(file.length) + peakCount - 1) / peakCount)
    var peaks: [Waveform.Peak] = []
    while file.framePosition < file.length, !isCancelled() {
      let capacity = AVAudioFrameCount(partLength)
      guard let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { break }
      try file.read(into: part)
      guard let channels = part.floatChannelData, part.frameLength > 0 else { break }
      let samples = (0..<Int(format.channelCount)).flatMap { channel in
        UnsafeBufferPointer(start: channels[channel], count: Int(part.frameLength))
          .map { Int8(max(-1, min($0, 1)) * 127) }
      }
      peaks.append(.init(lowest: samples.min() ?? 0, highest: samples.max() ?? 0))
    }
    guard !isCancelled() else { throw MediaError(.cancelled) }
    return Waveform(
      peaks: peaks,
      frameCount: file.length,
      sampleRate: Int(format.sampleRate),
      channelCount: Int(format.channelCount)
    )
  }
}
