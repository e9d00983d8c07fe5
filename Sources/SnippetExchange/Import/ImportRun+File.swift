import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

extension ImportRun {
  /// A file whose draft is being saved.
  struct File {
    let url: URL
    let byteCount: Int64
    var isExported = false
    /// The state of an item of Joplin; `nil` for other files.
    var item: ItemState?
    /// The place of its origin; `nil` if it has none.
    var place: FilePlace?
    /// The file itself, if it was given by itself; `nil` for others.
    var single: SingleFile?
    /// The properties in another file; `nil` if there are none.
    var description: FileDescription?
    /// Whether the files beside it were looked at for those.
    var isAmongOthers = false
    /// Whether its snippet goes to the trash.
    var isTrashed = false
    /// The names of its folders that should become tags and cannot.
    var unread: [FrontMatterFlaw] = []
    /// Its metadata, once it was read.
    let note = NoteReading()

    /// Returns what brings in the content of a file that no snippet can be made of; `nil` if
    /// nothing does.
    func advice() -> SnippetStoreError? {
      let options: FileDescriptor.OpenOptions =
        place == nil ? .nonBlocking : [.noFollow, .nonBlocking]
      // A file that cannot be read is neither a store nor an archive.
      guard let open = try? OpenFile(url.path, options: options),
        let head = try? open.bytes(at: 0, count: 72)
      else { return nil }
      if head.starts(with: "SQLite format 3\0".utf8), head.suffix(4).elementsEqual("Snip".utf8) {
        return SnippetStoreError(store: url)
      }
      guard place != nil, (try? ArchiveFormat(of: open)) != nil else { return nil }
      return SnippetStoreError(archiveInFolder: url)
    }

    /// Whether a file that no snippet can be made of is an archive which was not unpacked.
    func isArchiveInAnother() -> Bool {
      guard let place, FileNames.isArchive(place.folder.path),
        let open = try? OpenFile(url.path, options: [.noFollow, .nonBlocking])
      else { return false }
      return (try? ArchiveFormat(of: open)) != nil
    }
  }

  /// The outcome of a file, with the reason if its front matter is ignored, and the values that
  /// cannot be taken over.
  struct Saved {
    let settled: SettledFile
    let flaw: FrontMatterFlaw?
    let unread: [FrontMatterFlaw]
  }
}
