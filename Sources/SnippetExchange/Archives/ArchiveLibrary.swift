import CTransfer

/// The libarchive of the system, which unpacks archives.
package enum ArchiveLibrary {
  /// The name and version, as `libarchive 3.6.2`; `nil` if it cannot be loaded.
  package static var version: String? {
    guard let text = snippet_archive_version() else { return nil }
    return String(cString: text).split(separator: " ").prefix(2).joined(separator: " ")
  }
}
