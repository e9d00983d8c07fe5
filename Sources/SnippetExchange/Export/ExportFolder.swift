import Foundation
import SnippetBase
import SystemPackage

/// A folder that an export fills and never leaves.
///
/// Every file is newly made by name in an open folder: links are not followed, files are not
/// overwritten, and if the folder is moved, the export moves with it.
final class ExportFolder {
  private let root: OpenFolder
  private let tellsFailuresByFile: Bool
  private var folders: [String: OpenFolder] = [:]

  /// Makes the folder, or opens an empty one; a test says whether an `fsync` of each file is needed.
  init(path: String, tellsFailuresByFile: Bool? = nil) throws(FileError) {
    root = try OpenFolder(making: path)
    self.tellsFailuresByFile = tellsFailuresByFile ?? root.tellsFailuresByFile
    guard try root.names().isEmpty else { throw FileError(path, .directoryNotEmpty) }
  }

  /// Fails if there is a folder with anything in it.
  static func requireUsable(_ path: String) throws(FileError) {
    guard FileStatus.exists(path) else { return }
    guard try OpenFolder(path).names().isEmpty else { throw FileError(path, .directoryNotEmpty) }
  }

  /// Makes an empty file in a subfolder, which is made on first use, or in the folder itself.
  func makeFile(_ name: String, in folder: String? = nil) throws(FileError) -> ExportedFile {
    ExportedFile(try place(folder).makeFile(name), tellsFailuresByFile: tellsFailuresByFile)
  }

  private func place(_ folder: String?) throws(FileError) -> OpenFolder {
    guard let folder else { return root }
    if let place = folders[folder] { return place }
    let place = try root.makeFolder(folder)
    folders[folder] = place
    return place
  }

  /// Removes a file of the folder itself.
  func remove(_ name: String) {
    root.remove(name)
  }

  /// Removes a file that could not be completed.
  func remove(_ name: String, in folder: String) {
    folders[folder]?.remove(name)
  }

  /// Gives the manifest its name once everything is on the disk.
  func publish(_ partialName: String, as name: String) throws(FileError) {
    try root.publish(partialName, as: name)
  }
}

/// A file that an export writes.
final class ExportedFile {
  private let file: OpenFile
  private let tellsFailuresByFile: Bool
  private var byteCount: Int64 = 0

  fileprivate init(_ file: OpenFile, tellsFailuresByFile: Bool) {
    self.file = file
    self.tellsFailuresByFile = tellsFailuresByFile
  }

  /// Appends bytes.
  func write(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { try file.write($0, at: byteCount) }
    byteCount += Int64(bytes.count)
  }

  /// Sets the date of the last change, which an import uses as the date of the snippet.
  func setDate(_ date: Date) {
    file.setModificationDate(date)
  }

  /// Closes the file, and throws what the disk could not take.
  func finish() throws(FileError) {
    if tellsFailuresByFile { try file.synchronize() }
    try file.close()
  }
}
