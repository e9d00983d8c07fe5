import Foundation
import SnippetStorage

/// A note or a file in an export of another program, with an identity of its own.
protocol ImportItem {
  /// The file with the bytes.
  var path: String { get }
  var stamp: FileStamp { get }
  var tags: [String] { get }
  /// The titles of the notebooks around it.
  var notebooks: [String] { get }
  /// The identity, if the name of the file does not tell it.
  var identity: String? { get }

  /// Reads the item.
  func read() throws -> ItemReading
}

/// The snippet of an item, and the state of its file.
struct ItemReading {
  var draft: SnippetDraft
  /// The hash of a note's file; `nil` for one whose file is its content.
  var sha256: Data?
  /// The values that could not be taken over as they are.
  var unread: [FrontMatterFlaw] = []
  /// The names of values for which a store has no place.
  var unreadNames: [String] = []
  /// Whether the other program has it in its trash.
  var isTrashed = false
  /// The moment of its last edit there; `nil` if that is unknown.
  var editedAt: Date?
}
