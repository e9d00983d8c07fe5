#if !canImport(AVFoundation)
import Foundation

/// The calls of AVFoundation that the samples make, declared as its documentation does, for systems
/// without it. They are compiled only.

typealias AVAudioFrameCount = UInt32

final class AVAudioFormat {
  let channelCount: UInt32 = 0
  let sampleRate: Double = 0
}

final class AVAudioPCMBuffer {
  var frameLength: AVAudioFrameCount = 0
  var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }

  init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
}

final class AVAudioFile {
  let length: Int64 = 0
  let framePosition: Int64 = 0
  let processingFormat = AVAudioFormat()

  init(forReading file: URL) throws {}
  func read(into buffer: AVAudioPCMBuffer) throws {}
}
#endif
