import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

/// The readable part of a row in a damaged store.
struct SalvagedSnippet {
  let id: Int64
  let uuid: UUID
  /// `nil` if it cannot be read.
  let kind: SnippetKind?
  let title: String
  var preview: String
  let createdAt: Int64
  let modifiedAt: Int64
  let deletedAt: Int64?
  let isPinned: Bool
  let revision: Int64
  let mediaType: String
  let encoding: String?
  let facts: [Int64?]
  let isIrregular: Bool
  let blobID: Int64?
  /// Whether the row, without its text, matches its digest; `nil` if this cannot be checked.
  let isRight: Bool?

  static let select = """
    SELECT id, uuid, kind, title, preview, created_at, modified_at, deleted_at, pinned, revision,
      media_type, text_encoding, pixel_width, pixel_height, duration_ms, sample_rate, channel_count,
      blob_id, irregular
    FROM snippet NOT INDEXED WHERE id = ?
    """

  /// Makes a new row from its content.
  init(_ id: Int64, _ prepared: PreparedSnippet) {
    self.id = id
    uuid = prepared.uuid
    kind = prepared.kind
    title = prepared.title
    preview = prepared.preview
    createdAt = prepared.createdAt.milliseconds
    modifiedAt = prepared.modifiedAt.milliseconds
    deletedAt = nil
    isPinned = prepared.isPinned
    revision = 1
    mediaType = prepared.mediaType
    if case .blob(_, let encoding) = prepared.body {
      self.encoding = encoding?.name
    } else {
      encoding = nil
    }
    let known = prepared.facts
    facts = [
      known.pixelWidth.map(Int64.init), known.pixelHeight.map(Int64.init),
      known.duration?.milliseconds, known.sampleRate.map(Int64.init),
      known.channelCount.map(Int64.init),
    ]
    isIrregular = known.isIrregular
    blobID = nil
    isRight = nil
  }

  /// Reads a row of ``select``.
  ///
  /// Throws if the row cannot be read, but not for a column with an impossible value.
  init(_ row: StatementRow, isRight: Bool?, now: Date) throws {
    id = try row.number(0)
    uuid = (try? row.uuid(1)) ?? UUID()
    kind = (try? row.number(2)).flatMap { SnippetKind(rawValue: Int(truncatingIfNeeded: $0)) }
    title = (try? row.text(3)) ?? ""
    preview = (try? row.text(4)) ?? ""
    createdAt = (try? row.number(5)) ?? now.milliseconds
    modifiedAt = (try? row.number(6)) ?? now.milliseconds
    deletedAt = (try? row.optionalNumber(7)) ?? nil
    isPinned = (try? row.number(8)) == 1
    // A damaged revision near the maximum would leave no room for later ones.
    revision = min(max(1, (try? row.number(9)) ?? 1), 1 << 24)
    mediaType = (try? row.text(10)) ?? ""
    encoding = (try? row.optionalText(11)) ?? nil
    facts = (Int32(12)...16).map { (try? row.optionalNumber($0)) ?? nil }
    blobID = (try? row.optionalNumber(17)) ?? nil
    isIrregular = (try? row.number(18)) == 1
    self.isRight = isRight
  }
}
