import Foundation
import SnippetBase

/// A folder that an export fills, and that nothing of it ever leaves.
///
/// Every file is made anew by its name below an open folder: no link is followed, no file is
/// overwritten, and whoever moves the folder meanwhile moves the export with it.
final class ExportFolder {
  private let path: String
  private let descriptor: Int32
  private var folders: [String: Int32] = [:]

  /// Makes the folder, or takes an empty one.
  init(path: String) throws {
    self.path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw ExportPlaceError(path, code: errno) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExportPlaceError(path, code: errno) }
    guard try isEmpty else { throw ExportPlaceError(path, code: ENOTEMPTY) }
  }

  deinit {
    for folder in folders.values { close(folder) }
    close(descriptor)
  }

  private var isEmpty: Bool {
    get throws {
      // A stream closes its descriptor, so it is given another.
      let copy = dup(descriptor)
      guard copy >= 0 else { throw ExportPlaceError(path, code: errno) }
      guard let stream = fdopendir(copy) else {
        close(copy)
        throw ExportPlaceError(path, code: errno)
      }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { return false }
      }
      return true
    }
  }

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - name: The name, without any slash.
  ///   - folder: The folder below this one, which is made when it is first used; `nil` for none.
  /// - Returns: The empty file.
  /// - Throws: ``ExportPlaceError``
  func makeFile(_ name: String, in folder: String? = nil) throws -> ExportedFile {
    precondition(!name.contains("/") && folder?.contains("/") != true, "A name is no path.")
    let place = try folder.map { try makeFolder($0) } ?? descriptor
    let shown = [path, folder, name].compactMap(\.self).joined(separator: "/")
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(place, name, flags, 0o600)
    guard file >= 0 else { throw ExportPlaceError(shown, code: errno) }
    return ExportedFile(descriptor: file, path: shown)
  }

  private func makeFolder(_ name: String) throws -> Int32 {
    if let folder = folders[name] { return folder }
    let shown = "\(path)/\(name)"
    guard mkdirat(descriptor, name, 0o700) == 0 else { throw ExportPlaceError(shown, code: errno) }
    let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw ExportPlaceError(shown, code: errno) }
    folders[name] = folder
    return folder
  }

  /// Takes a file away again that could not be completed.
  func remove(_ name: String, in folder: String) {
    guard let place = folders[folder] else { return }
    unlinkat(place, name, 0)
  }

  /// Gives the manifest its name once everything is on the disk.
  func publish(_ partialName: String, as name: String) throws {
    // One call for all files, however many: to wait for each would take hours for a hundred thousand.
    sync()
    guard renameat(descriptor, partialName, descriptor, name) == 0, fsync(descriptor) == 0
    else { throw ExportPlaceError("\(path)/\(name)", code: errno) }
  }
}

/// A file that an export writes.
final class ExportedFile {
  private let descriptor: Int32
  private let path: String
  private var byteCount: Int64 = 0

  fileprivate init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Adds bytes at the end.
  func write(_ bytes: Data) throws {
    do {
      try bytes.withUnsafeBytes { try writeFully(descriptor, $0, at: byteCount, path: path) }
    } catch let error as FileError {
      throw ExportPlaceError(path, code: error.code)
    }
    byteCount += Int64(bytes.count)
  }

  /// Sets the date of the last change, which an import takes for that of the snippet.
  func setDate(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let time = timespec(
      tv_sec: Int(seconds),
      tv_nsec: Int((date.timeIntervalSince1970 - seconds) * 1_000_000_000)
    )
    // A file system that keeps no such date keeps the bytes all the same.
    _ = withUnsafeBytes(of: (time, time)) { times in
      futimens(descriptor, times.assumingMemoryBound(to: timespec.self).baseAddress)
    }
  }
}

/// A file or folder of an export could not be made or written.
struct ExportPlaceError: Error {
  let path: String
  let code: Int32

  init(_ path: String, code: Int32) {
    self.path = path
    self.code = code
  }
}
