import Foundation
import SnippetTestSupport

/// What a store keeps, apart from moments and identities, which differ from run to run.
///
/// The hash of a blob stands for its bytes, which a check compares with it.
struct KeptState: Equatable, Sendable {
  struct Snippet: Hashable, Sendable {
    var id: Int64
    var isInTrash: Bool
    /// Everything else, as it can be compared.
    var content: String
  }

  var snippets: [Snippet] = []
  /// The last number given of each table.
  var sequences: [String: Int64] = [:]
  /// How many blobs are only half there.
  var stagedCount: Int64 = 0

  /// Reads a store by the `sqlite3` shell, which knows nothing of this package.
  init(of file: URL) async throws {
    let output = try await Shell.sqlite3(
      file,
      """
      SELECT 'snippet', id, deleted_at IS NOT NULL, hex(json_array(
        kind, title, preview, pinned, revision, media_type,
        (SELECT hex(sha256) FROM blob WHERE blob.id = blob_id),
        (SELECT body FROM snippet_text WHERE snippet_id = snippet.id),
        (
          SELECT group_concat(name) FROM (
            SELECT name FROM snippet_tag JOIN tag ON tag.id = tag_id
            WHERE snippet_id = snippet.id ORDER BY name
          )
        )
      )) FROM snippet ORDER BY id;
      SELECT 'sequence', name, seq FROM sqlite_sequence;
      SELECT 'staged', count(*) FROM staged_blob;
      """
    )
    guard output.status == 0 else { throw Shell.Failure(output: output) }
    for line in output.standardOutput.split(separator: "\n") {
      let fields = line.split(separator: "|").map(String.init)
      switch fields[0] {
      case "snippet":
        let id = Int64(fields[1]) ?? 0
        snippets.append(Snippet(id: id, isInTrash: fields[2] == "1", content: fields[3]))
      case "sequence": sequences[fields[1]] = Int64(fields[2])
      default: stagedCount = Int64(fields[1]) ?? 0
      }
    }
  }

  /// Those outside of the trash.
  var live: [Snippet] { snippets.filter { !$0.isInTrash } }
}
