/// Unpacks a file with many members into an empty folder.
protocol Unpacking {
  /// The members that are not in the folder, in the terms of its paths.
  var missing: [ArchiveUnpacking.Missing] { get }
  /// Whether the file was read to its end.
  var isComplete: Bool { get }

  /// Unpacks all members.
  ///
  /// - Throws: ``ArchiveUnpacking/NotAnArchive``, a `FileError` of the disk, or what the check of a
  ///   cancellation throws.
  mutating func run() throws
}
