package import GRDB
import SnippetRecognition

extension Database {
  /// Returns the beginning of the text of a snippet, decoded; a text that is no blob is whole.
  ///
  /// Of a blob it reads at most `maximum` bytes. It is empty if the snippet does not exist.
  package func beginning(
    ofTextOf id: SnippetID,
    in blob: BlobID?,
    upTo maximum: Int64
  ) throws -> String {
    guard let blob else {
      return try value(
        "SELECT body FROM snippet_text WHERE snippet_id = ?",
        [id.rawValue.databaseValue]
      ) { try $0.text(0) } ?? ""
    }
    let name =
      try value(
        "SELECT text_encoding FROM snippet WHERE id = ?",
        [id.rawValue.databaseValue]
      ) { try $0.optionalText(0) } ?? nil
    let encoding = name.flatMap(TextEncoding.init(name:)) ?? .utf8
    return encoding.decodePrefix(try beginning(of: blob, upTo: maximum))
  }
}
