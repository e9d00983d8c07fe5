package import Foundation
import SnippetBase

/// A text that is kept beside a store until it is in it: a file or a folder whose name is that of
/// the store, a mark, a dash and more.
package enum FileBesideStore: String, CaseIterable, Sendable {
  /// A text that could not be saved.
  case unsaved = "-unsaved"
  /// The folder of a text that an editor of the user's choice has open.
  case edited = "-edit"

  /// The beginning of the paths beside a store, up to and with the mark.
  package func prefix(beside store: URL) -> String {
    FileStatus.target(of: store.path) + rawValue
  }

  /// The paths of all such files beside a store; none if its folder cannot be listed.
  ///
  /// The time grows with the number of files in the folder.
  static func all(besideStoreAt path: String) -> [String] {
    let store = FileStatus.target(of: path)
    let folder = store.folderPath
    let names = (try? FileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
    let marks = allCases.map { "\(store.fileName)\($0.rawValue)-" }
    return names.compactMap { name, _ -> String? in
      guard marks.contains(where: { name.hasPrefix($0) }) else { return nil }
      return folder.isEmpty ? name : "\(folder)/\(name)"
    }
    .sorted()
  }

  /// Whether a name is that of such a file beside a store that this process has open; the path of
  /// the folder ends with a slash.
  package static func isName(_ name: String, in folder: String) -> Bool {
    // A walk asks this of each file, and the search of Foundation is slow to begin.
    name.utf8.contains(UInt8(ascii: "-"))
      && allCases.contains { file in
        let mark = name.range(of: "\(file.rawValue)-", options: .backwards)
        let store = mark.flatMap { FileIdentity(path: folder + name[..<$0.lowerBound]) }
        return store.map(StoreSeam.isOpen) ?? false
      }
  }
}
