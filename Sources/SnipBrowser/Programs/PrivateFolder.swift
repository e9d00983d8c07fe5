import Foundation
import TerminalKit

/// A folder for temporary files that its owner alone can enter.
struct PrivateFolder: Sendable {
  let url: URL

  /// Makes an empty folder where the system has temporary files.
  ///
  /// - Parameter prefix: How its name begins.
  /// - Throws: ``OtherProgramError`` when it cannot be made.
  init(_ prefix: String) throws(OtherProgramError) {
    let place = FileManager.default.temporaryDirectory
    // Only its owner has any rights to it.
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

  /// Removes the folder and all in it.
  func remove() {
    // What cannot be removed is the system's to remove.
    try? FileManager.default.removeItem(at: url)
  }
}
