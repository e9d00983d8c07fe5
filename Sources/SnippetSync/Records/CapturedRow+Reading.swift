import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

extension CapturedRow {
  /// Reads a snippet with its tags; `nil` if there is none.
  init?(_ id: SnippetID, in db: Database) throws {
    let found = try db.value(Self.selection, [id.rawValue.databaseValue]) { row in
      (
        row: try CapturedRow(row), isTagged: try row.number(21) != 0,
        blob: try row.optionalNumber(22).map(BlobID.init(rawValue:))
      )
    }
    guard let found else { return nil }
    self = found.row
    if let blob = found.blob, content.kind == .text, !previewBeginsWithTitle {
      // The title may stand behind front matter or a rule.
      beginning = try db.beginning(
        ofTextOf: id,
        in: blob,
        upTo: Int64(TextRules.previewByteCount)
      )
    }
    guard found.isTagged else { return }
    tags = try db.values(
      """
      SELECT name FROM snippet_tag JOIN tag ON tag.id = tag_id WHERE snippet_id = ? ORDER BY name
      """,
      [id.rawValue.databaseValue]
    ) { try $0.text(0) }
  }

  private static let selection = """
    SELECT uuid, kind, title, preview, created_at, modified_at, deleted_at, pinned,
      snippet.byte_count, media_type, text_encoding, pixel_width, pixel_height, duration_ms,
      sample_rate, channel_count, body, sha256, irregular,
      (
        SELECT origin.path FROM origin JOIN origin_folder ON origin_folder.id = folder_id
        WHERE origin.snippet_id = snippet.id AND imported = 1 ORDER BY folder_id LIMIT 1
      ),
      (
        SELECT origin.path FROM origin JOIN origin_folder ON origin_folder.id = folder_id
        WHERE origin.snippet_id = snippet.id AND (imported = 1 OR origin_folder.path = '//')
        ORDER BY folder_id, origin.path LIMIT 1
      ),
      EXISTS (SELECT 1 FROM snippet_tag WHERE snippet_tag.snippet_id = snippet.id), blob_id
    FROM snippet LEFT JOIN snippet_text ON snippet_id = snippet.id
    LEFT JOIN blob ON blob.id = blob_id
    WHERE snippet.id = ?
    """

  private init(_ row: StatementRow) throws {
    guard let kind = SnippetKind(rawValue: Int(try row.number(1))) else {
      throw DatabaseError.damage("a snippet has an impossible kind")
    }
    let body: SyncedContent.Body =
      row.isNull(17)
      ? .text(try row.optionalText(16) ?? "")
      : .blob(try row.bytes(17), encoding: try row.optionalText(10))
    self.init(
      uuid: try row.uuid(0),
      content: SyncedContent(
        kind: kind,
        body: body,
        byteCount: try row.number(8),
        mediaType: try row.text(9),
        // That of an image or recording is the beginning of its note.
        preview: kind == .text ? try row.text(3) : "",
        facts: MediaFacts(
          pixelWidth: try row.optionalNumber(11).map(Int.init),
          pixelHeight: try row.optionalNumber(12).map(Int.init),
          duration: try row.optionalNumber(13).map { .milliseconds($0) },
          sampleRate: try row.optionalNumber(14).map(Int.init),
          channelCount: try row.optionalNumber(15).map(Int.init),
          isIrregular: try row.number(18) != 0
        ),
        title: "",
        file: try row.optionalText(19)
      ),
      title: try row.text(2),
      note: kind == .text ? "" : try row.optionalText(16) ?? "",
      isPinned: try row.number(7) != 0,
      createdAt: try row.number(4),
      modifiedAt: try row.number(5),
      deletedAt: try row.optionalNumber(6),
      tags: [],
      file: try row.optionalText(20)
    )
  }
}
