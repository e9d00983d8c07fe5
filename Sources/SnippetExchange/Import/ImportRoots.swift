import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// A path that an import was given.
struct ImportRoot {
  /// The given path.
  let url: URL
  /// The path to walk: the given one, or the folder in which an archive was unpacked.
  var path: String
  /// The path of an archive without links and with a trailing slash, which a folder of origins
  /// never has; `nil` for files and folders.
  var archive: String?
  /// Whether there is something to walk.
  var isWalked = true
  /// Whether all of an archive was read.
  var isComplete = true
  /// The entries that are known before the walk: members that are not in the folder.
  var entries: [FileWalk.Entry] = []

  init(_ url: URL) {
    (self.url, path) = (url, url.path)
  }
}

/// The paths that an import was given, with archives unpacked into a private folder.
struct ImportRoots {
  private(set) var all: [ImportRoot]
  private var folder: PrivateFolder?
  /// The folder in which the private one is made.
  private var place = FileManager.default.temporaryDirectory.path
  private var onUnpack: (StoreProgress) -> Void = { _ in }

  /// Takes the paths as they are.
  init(_ urls: [URL]) {
    all = urls.map(ImportRoot.init)
  }

  /// Unpacks the archives among the given files, which are recognized by their bytes.
  ///
  /// Whatever fails is in the entries of the roots. `onUnpack` is called with how much of an archive
  /// was read, often.
  ///
  /// - Throws: `SnippetStoreError` if there is no room, or what `check` throws. Then nothing is left
  ///   on the disk.
  init(
    unpacking urls: [URL],
    in place: String = FileManager.default.temporaryDirectory.path,
    limits: ArchiveUnpacking.Limits = .init(),
    hasLibrary: () -> Bool = { ArchiveLibrary.version != nil },
    onUnpack: @escaping (StoreProgress) -> Void = { _ in },
    check: @escaping () throws -> Void
  ) throws {
    self.init(urls)
    self.place = place
    self.onUnpack = onUnpack
    do {
      for index in all.indices {
        try check()
        // It is reported when it is walked.
        guard let (file, kind) = try? Self.container(at: all[index].path) else { continue }
        switch kind {
        case .export where !XMLParts.isAvailable:
          refuse(index, SnippetStoreError(withoutXMLLibrary: all[index].url))
        case .archive(let format) where !hasLibrary():
          refuse(index, SnippetStoreError(withoutLibrary: all[index].url, format))
        case .export, .archive:
          try unpack(index, file, kind, limits, check)
        }
      }
    } catch {
      remove()
      throw error
    }
  }

  /// A file that holds others.
  private enum Container {
    /// An export of Evernote.
    case export
    case archive(ArchiveFormat)
  }

  /// Opens a file that was given; `nil` if it holds no others.
  private static func container(at path: String) throws -> (OpenFile, Container)? {
    let status = try Stat(path, followTargetSymlink: true)
    guard status.type == .regular, !StoreSeam.isOpen(FileIdentity(status)) else { return nil }
    let file = try OpenFile(path, options: [.nonBlocking])
    let head = try file.bytes(at: 0, count: 512)
    if EvernoteNotes.begins(head) { return (file, .export) }
    return ArchiveFormat(head: head).map { (file, .archive($0)) }
  }

  private mutating func unpack(
    _ index: Int,
    _ file: OpenFile,
    _ kind: Container,
    _ limits: ArchiveUnpacking.Limits,
    _ check: @escaping () throws -> Void
  ) throws {
    let url = all[index].url
    do {
      // The ending keeps one from being the beginning of another.
      let folder = try OpenFolder(making: "\(try privateFolder().path)/\(index).archive")
      var unpacking: any Unpacking
      switch kind {
      case .export:
        unpacking = EvernoteUnpacking(file, into: folder, check: check, onProgress: onUnpack)
      case .archive(let format):
        let outer = try ArchiveUnpacking(
          file,
          format,
          into: folder,
          limits: limits,
          check: check,
          onProgress: onUnpack
        )
        unpacking = NestedUnpacking(outer, into: folder, check: check)
      }
      try unpacking.run()
      take(index, folder, unpacking)
    } catch is ArchiveUnpacking.NotAnArchive {
      return
    } catch let error as ArchiveReader.Failure {
      refuse(index, SnippetStoreError(ofMember: url.path, because: error.reason))
    } catch let error as FileError {
      throw SnippetStoreError(unpacking: url, error)
    }
  }

  /// Notes what was unpacked of a path.
  private mutating func take(_ index: Int, _ folder: OpenFolder, _ unpacking: any Unpacking) {
    all[index].archive = FileSystem.realPath(of: all[index].url.path) + "/"
    all[index].path = folder.path
    all[index].isComplete = unpacking.isComplete
    all[index].entries = unpacking.missing.map {
      switch $0 {
      case .leftOut(let thing): .leftOut(thing)
      case .failure(let path, let error): .failure(path: path, error)
      }
    }
  }

  private mutating func refuse(_ index: Int, _ error: SnippetStoreError) {
    all[index].isWalked = false
    all[index].entries = [.failure(path: all[index].path, error)]
  }

  // MARK: - The private folder

  private mutating func privateFolder() throws(FileError) -> PrivateFolder {
    if let folder { return folder }
    let leftovers = PrivateFolder.leftovers("\(place)/\(Self.prefix)", olderThan: Self.graceSeconds)
    for leftover in leftovers { leftover.remove() }
    let made = try PrivateFolder.make("\(place)/\(Self.prefix)")
    folder = made
    return made
  }

  /// The age from which a folder that no process uses is a leftover.
  private static let graceSeconds: TimeInterval = 60
  /// The beginning of the names of private folders.
  static let prefix = "snippets-archive-"

  /// Removes what was unpacked.
  mutating func remove() {
    folder?.remove()
    folder = nil
  }

  // MARK: - Telling

  /// Returns an event with the paths of archives in place of those of the private folder.
  func shown(_ event: ImportEvent) -> ImportEvent {
    guard let folder, let root = archive(of: event, in: folder.path) else { return event }
    return event.renaming(root.path, to: root.url.path)
  }

  /// Returns the archive that the file of an event is from, or else that its error names; `nil` if
  /// there is none.
  ///
  /// The path of the file has its number, since there may be thousands.
  private func archive(of event: ImportEvent, in folder: String) -> ImportRoot? {
    let path = event.file.path
    if path.isInside(folder), let name = path.path(below: folder).pathNames.first,
      let index = Int(String(name).withoutFileExtension), all.indices.contains(index),
      all[index].archive != nil
    {
      return all[index]
    }
    guard event.error?.names(folder) == true else { return nil }
    return all.first { $0.archive != nil && event.error?.names($0.path) == true }
  }
}

extension ImportEvent {
  fileprivate func renaming(_ place: String, to other: String) -> ImportEvent {
    let renamed = { (url: URL) in
      guard url.path.isInside(place) else { return url }
      return URL(
        fileURLWithPath: url.path.replacing(place, with: other, maxReplacements: 1),
        isDirectory: false
      )
    }
    return ImportEvent(
      outcome,
      renamed(file),
      snippetID,
      byteCount: byteCount,
      from: formerFile.map(renamed),
      fileCount: fileCount,
      kept: keptID,
      isKeptWritten: isKeptWritten,
      because: error?.renaming(place, to: other)
    )
  }
}

extension SnippetStoreError {
  fileprivate func names(_ place: String) -> Bool {
    operation.contains(place) || reason.contains(place)
  }

  fileprivate func renaming(_ place: String, to other: String) -> SnippetStoreError {
    guard names(place) else { return self }
    return SnippetStoreError(
      code,
      operation.replacing(place, with: other),
      because: reason.replacing(place, with: other),
      do: recoverySuggestion ?? "",
      underlying: underlyingError
    )
  }
}
