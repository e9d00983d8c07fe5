import Foundation

/// The properties of a file that another file told at the last import.
///
/// An origin stores them, so that the next import knows which of them are new.
struct ToldFacts: Codable, Equatable, Sendable {
  /// The identity of the file, see ``FileDescription/identity``.
  var identity: String?
  var title: String?
  var tags: [String]?
  var pinned: Bool?
  var trashed: Bool?
  /// The hash of the note, as that of a side file.
  var note: Data?
  /// The dates, in milliseconds since 1970.
  var taken: Int64?
  var added: Int64?
  var created: Int64?
  var modified: Int64?
  /// Whether a file in another part of an export told them; `nil` if one beside the file did.
  var part: Bool?

  /// Whether they are gone once no file beside the file tells them.
  var isOfFileBeside: Bool {
    var others = self
    // The folder of a bundle has the identity.
    others.identity = nil
    return part != true && others != ToldFacts()
  }
}
