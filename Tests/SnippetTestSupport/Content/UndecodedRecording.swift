package import Foundation

/// A recording in a known format, with a coding that nothing here decodes, whatever is installed.
package enum UndecodedRecording {
  /// A WAV of one second in Windows Media Audio, as it says.
  package static let wav: Data = {
    let format =
      little(UInt16(0x0161)) + little(UInt16(1)) + little(UInt32(8000)) + little(UInt32(1000))
      + little(UInt16(100)) + little(UInt16(16)) + little(UInt16(0))
    let chunks = riffChunk("fmt ", format) + riffChunk("data", zeros(1000))
    return Data(ascii("RIFF") + little(UInt32(4 + chunks.count)) + ascii("WAVE") + chunks)
  }()
}
