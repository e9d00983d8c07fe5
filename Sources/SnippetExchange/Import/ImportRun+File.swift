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

    /// The files that no snippet can be made of and whose content comes in another way.
    enum Other { case store, archive, archiveInArchive }

    /// Looks at a file that no snippet can be made of; `nil` if it is none of these, or cannot be read.
    func other() -> Other? {
      let options: FileDescriptor.OpenOptions =
        place == nil ? .nonBlocking : [.noFollow, .nonBlocking]
      guard let open = try? OpenFile(url.path, options: options),
        let head = try? open.bytes(at: 0, count: 72)
      else { return nil }
      if head.starts(with: "SQLite format 3\0".utf8), head.suffix(4).elementsEqual("Snip".utf8) {
        return .store
      }
      guard let place, (try? ArchiveFormat(of: open)) != nil else { return nil }
      return FileNames.isArchive(place.folder.path) ? .archiveInArchive : .archive
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
