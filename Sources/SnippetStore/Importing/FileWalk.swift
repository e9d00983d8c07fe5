import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The regular files at and below some paths, in the order of their names, found as they are asked
/// for.
///
/// A link is followed when it is given and passed over when it is found, so that no walk runs in a
/// circle or leaves what was given. The files of a store that this process has open are passed over,
/// given or found.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or why something cannot be walked.
  enum Entry {
    case file(path: String, byteCount: Int64)
    case failure(path: String, FileError)
  }

  private let includesHidden: Bool
  /// Paths still to be visited, the next one last, or why one cannot be.
  private var pending: [(path: String, isGiven: Bool, error: FileError?)]

  init(_ paths: [String], includesHidden: Bool) {
    self.includesHidden = includesHidden
    pending = paths.reversed().map { ($0, true, nil) }
  }

  mutating func next() -> Entry? {
    while let (path, isGiven, error) = pending.popLast() {
      if let error { return .failure(path: path, error) }
      var status = stat()
      guard (isGiven ? stat(path, &status) : lstat(path, &status)) == 0 else {
        return .failure(path: path, FileError(path))
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        do {
          try visit(path)
        } catch {
          return .failure(path: path, error)
        }
      case S_IFREG:
        if OpenStoreFile.contains(FileIdentity(status)) { continue }
        return .file(path: path, byteCount: Int64(status.st_size))
      default:
        if isGiven { return .file(path: path, byteCount: 0) }
      }
    }
    return nil
  }

  private mutating func visit(_ folder: String) throws(FileError) {
    guard let stream = opendir(folder) else { throw FileError(folder) }
    defer { closedir(stream) }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var found: [(path: String, isGiven: Bool, error: FileError?)] = []
    while let entry = readdir(stream) {
      let (name, isText) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          (String(cString: name), String(validatingCString: name) != nil)
        }
      }
      if name == "." || name == ".." { continue }
      if name.hasPrefix("."), !includesHidden { continue }
      let path = prefix + name
      // A name that is no text would come back as that of another file.
      found.append((path, false, isText ? nil : FileError(path, code: EILSEQ)))
    }
    pending += found.sorted { $0.path > $1.path }
  }
}
