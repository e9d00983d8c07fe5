import SnipCore
import SnippetStorage

/// One or more of the named snippets do not exist.
struct MissingSnippetsError: StatusError {
  /// The place where they were expected.
  enum Place {
    case store, trash, outsideTrash
  }

  /// The most numbers to list one by one.
  static let toldCount = 20

  let ids: [SnippetID]
  var place = Place.store

  var status: ExitStatus { .noSuchSnippet }

  /// The numbers for a message, the first of them if there are many.
  static func told(_ ids: [SnippetID]) -> String {
    let rest = ids.count - toldCount
    return ids.prefix(toldCount).map(\.description).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  var message: String {
    let numbers = Self.told(ids)
    let sentence =
      ids.count == 1 ? "there is no snippet \(numbers)" : "there are no snippets \(numbers)"
    switch place {
    case .store: return sentence
    case .trash: return "\(sentence) in the trash"
    case .outsideTrash: return "\(sentence) outside the trash"
    }
  }

  var hint: String? {
    switch place {
    case .store: "`snip list` shows all snippets."
    case .trash: "`snip list --trash` shows the trash."
    case .outsideTrash: "`snip rm --permanently` deletes snippets in the trash for good."
    }
  }
}
