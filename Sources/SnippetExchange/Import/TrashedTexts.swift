import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Finds the texts in the trash that files are copies of, as those of another archive.
///
/// The trash is asked for each content once, and only if it has texts of that size. So neither many
/// files nor a large trash take long.
final class TrashedTexts {
  /// The sizes of the texts in the trash; `nil` before the first question.
  private var knownSizes: Set<Int64>?
  /// The texts that were in the trash, by the hashes of their content.
  private var knownTexts: [Data: [SnippetID]] = [:]

  /// The most texts of one content to try.
  private static let maximumCount = 64

  /// Returns the text in the trash with the content of a file, and with its title or its name.
  ///
  /// A text without words says nothing, whatever stands in the front matter of a note, and neither
  /// does an empty title.
  ///
  /// - Parameters:
  ///   - snippet: The content and the title.
  ///   - name: The name of the file.
  ///   - folder: The folder of the file: texts with another file there are other ones. `nil` for a
  ///     file that was given by itself.
  ///   - db: The transaction.
  /// - Returns: The text that went there last; `nil` if there is none.
  /// - Throws: `DatabaseError`.
  func copy(
    of snippet: PreparedSnippet,
    named name: String,
    inFolder folder: Int64?,
    _ db: Database
  ) throws -> SnippetID? {
    guard snippet.kind == .text, !snippet.isIdentified else { return nil }
    let found = try texts(snippet, in: db)
    if !found.isEmpty, case .text(let text) = snippet.body {
      let isNote = NoteLanguage(ofFile: name) != nil
      let isBlank = isNote ? SideFile.note(in: text).isEmpty : text.allSatisfy(\.isWhitespace)
      guard !isBlank else { return nil }
    }
    return try found.first { id in
      guard let row = try db.snippetRow(id), row.kind == .text, row.deletedAt != nil else {
        return false
      }
      let files = try OriginStatements(db: db).origins(of: id)
      if let folder, files.contains(where: { $0.folder == folder }) { return false }
      let isTitled = !row.title.isEmpty && row.title == snippet.title
      return isTitled || files.contains { $0.path.fileName.hasBytes(of: name) }
    }
  }

  private func texts(_ snippet: PreparedSnippet, in db: Database) throws -> [SnippetID] {
    let sizes = try knownSizes ?? Self.sizes(in: db)
    knownSizes = sizes
    guard sizes.contains(snippet.byteCount) else { return [] }
    let sha256 = snippet.body.sha256
    if let known = knownTexts[sha256] { return known }
    let found = try Self.texts(snippet.body, in: db).map(SnippetID.init(rawValue:))
    knownTexts[sha256] = found
    return found
  }

  private static func sizes(in db: Database) throws -> Set<Int64> {
    Set(
      try db.numbers(
        "SELECT DISTINCT byte_count FROM snippet WHERE deleted_at IS NOT NULL AND kind = 1"
      )
    )
  }

  private static func texts(_ body: PreparedSnippet.Body, in db: Database) throws -> [Int64] {
    let order = "ORDER BY deleted_at DESC, snippet.id DESC LIMIT \(maximumCount)"
    switch body {
    case .text(let text):
      return try db.numbers(
        """
        SELECT snippet.id FROM snippet_text CROSS JOIN snippet ON snippet.id = snippet_id
        WHERE deleted_at IS NOT NULL AND kind = 1
          AND \(SnippetWriter.condition(thatBodyIs: "?1"))
        \(order)
        """,
        [text.databaseValue]
      )
    case .blob(let blob, _):
      return try db.numbers(
        """
        SELECT snippet.id FROM blob JOIN snippet ON snippet.blob_id = blob.id
        WHERE blob.sha256 = ?1 AND deleted_at IS NOT NULL AND kind = 1
        \(order)
        """,
        [blob.sha256.databaseValue]
      )
    }
  }
}
