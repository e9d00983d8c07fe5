internal import Foundation
import SnippetBase
package import SnippetStorage

/// A text or note that is not in the store, and the version that it was made from.
package struct UnsavedText: Codable, Hashable, Sendable {
  package let snippet: SnippetID
  /// Tells the snippet from that of another store, which may have come in the place of this one.
  let uuid: UUID?
  /// Whether it is the note of an image or voice.
  package let isNote: Bool
  package let title: String?
  let tags: [String]?
  package var text: String
  package let formerText: String
  let revision: Int64
}

/// The texts that could not be saved yet, each in a file beside the store.
///
/// A file is private, appears whole or not at all, and belongs to the process that wrote it for as
/// long as that runs. Its name is that of the store, then `-unsaved-` and a universal identity.
struct UnsavedTexts: Sendable {
  /// A kept text, claimed by this process.
  struct Claim: Sendable {
    let file: ClaimedFile
    let record: UnsavedText
  }

  /// The path of the store, and `-unsaved`.
  private let prefix: String

  /// The texts beside a store; `nil` for one in memory, whose texts end with it.
  init?(of store: SnippetStore) {
    guard let url = store.url else { return nil }
    prefix = FileBesideStore.unsaved.prefix(beside: url)
  }

  /// Keeps a text; on return it is on the disk.
  func keep(_ record: UnsavedText) throws(SnippetStoreError) -> Claim {
    do {
      let bytes = try JSONEncoder().encode(record)
      return Claim(file: try ClaimedFile.write(bytes, prefix: prefix), record: record)
    } catch {
      throw SnippetStoreError(
        .inputOutput,
        "keep the text of snippet \(record.snippet)",
        because: (error as? FileError)?.reason ?? error.localizedDescription,
        keeping: "It is only on screen.",
        do: "Make room on the disk, or copy it elsewhere."
      )
    }
  }

  /// Claims the texts that ended processes have kept, and removes what they left unfinished.
  ///
  /// - Complexity: O(*n*) for *n* files in the folder.
  func claim() -> [Claim] {
    let folder = prefix.folderPath
    let name = prefix.fileName
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // A file without its own name yet is the last of its process, and comes first.
    return names.filter { $0.hasPrefix("\(name)-") }.sorted(by: >).compactMap { found in
      let path = folder.isEmpty ? found : "\(folder)/\(found)"
      // Closing another name of an open store would drop its locks.
      guard let identity = FileIdentity(path: path), !StoreSeam.isOpen(identity),
        let file = ClaimedFile(claiming: path)
      else { return nil }
      guard let bytes = try? file.content() else { return nil }
      guard let record = try? JSONDecoder().decode(UnsavedText.self, from: bytes) else {
        if found.hasPrefix("\(name)-partial-") { file.remove() }
        return nil
      }
      // It may lack its own name though it is whole: waiting for the disk takes the longest.
      return Claim(file: file, record: record)
    }
  }
}
