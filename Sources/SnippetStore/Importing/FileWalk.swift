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
///
/// In a folder that an export has made, the files that its manifest names are found, with what it
/// says of them, and no others.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or why something cannot be walked.
  enum Entry {
    case file(path: String, byteCount: Int64)
    case exported(ExportedFiles.File)
    case failure(path: String, any Error)
  }

  private let includesHidden: Bool
  /// Paths still to be visited, the next one last, or why one cannot be.
  private var pending: [(path: String, isGiven: Bool, error: FileError?)]
  /// The export whose files come next.
  private var exported: ExportedFiles?

  init(_ paths: [String], includesHidden: Bool) {
    self.includesHidden = includesHidden
    pending = paths.reversed().map { ($0, true, nil) }
  }

  mutating func next() -> Entry? {
    if let entry = exported?.next() { return entry }
    exported = nil
    while let (path, isGiven, error) = pending.popLast() {
      if let error { return .failure(path: path, error) }
      var status = stat()
      guard (isGiven ? stat(path, &status) : lstat(path, &status)) == 0 else {
        return .failure(path: path, FileError(path))
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        do {
          exported = try ExportedFiles(in: path)
          if let entry = exported?.next() { return entry }
          if exported == nil { try visit(path) }
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
