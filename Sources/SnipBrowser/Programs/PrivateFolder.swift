import Foundation
import TerminalKit

/// A folder for temporary files that only its owner can enter.
struct PrivateFolder: Sendable {
  let url: URL

  /// Makes an empty folder in the system's place for temporary files.
  ///
  /// - Parameter prefix: The beginning of its name.
  /// - Throws: ``OtherProgramError`` when it cannot be made.
  init(_ prefix: String) throws(OtherProgramError) {
    let place = FileManager.default.temporaryDirectory
    // Only its owner has access to it.
    var template = Array(place.appendingPathComponent(prefix + "XXXXXX").path.utf8CString)
    guard mkdtemp(&template) != nil else {
      throw OtherProgramError(
        message: "could not make a folder in \(TerminalText(place.path)): "
          + String(cString: strerror(errno)),
        hint: "Set TMPDIR to a folder that can be written to."
      )
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  /// Removes the folder with its content.
  func remove() {
    // The system removes it some day if this fails.
    try? FileManager.default.removeItem(at: url)
  }
}
