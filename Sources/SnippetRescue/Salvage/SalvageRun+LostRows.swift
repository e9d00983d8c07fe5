import Foundation
import GRDB
import SnippetStorage

// Content without a readable row becomes a new snippet.
extension SalvageRun {
  /// Makes snippets from texts whose rows are unreadable.
  mutating func copyTexts(of traces: [Int64: SalvageSource.Trace]) throws {
    for (id, trace) in traces.sorted(by: { $0.key < $1.key }) where trace.blobID == nil {
      guard let text = try source.text(of: id) else { continue }
      try saveTrace(.text(text), trace, of: id)
    }
  }

  /// Makes snippets from blobs whose rows are unreadable.
  mutating func copyBlobs(of traces: [Int64: SalvageSource.Trace]) throws {
    var owners: [Int64: Int64] = [:]
    for (id, trace) in traces { if let blob = trace.blobID { owners[blob] = id } }
    for blob in Set(try source.blobs()).union(owners.keys).sorted()
    where !copiedBlobs.contains(blob) {
      guard let (bytes, sha256) = try source.blob(blob) else { continue }
      let owner = owners[blob]
      try saveTrace(
        .blob(bytes, sha256: sha256),
        owner.flatMap { traces[$0] } ?? SalvageSource.Trace(),
        note: try owner.flatMap(source.text),
        of: owner,
        bytes.problem
      )
    }
  }

  private mutating func saveTrace(
    _ content: SalvageSource.Content,
    _ trace: SalvageSource.Trace,
    note: String? = nil,
    of id: Int64?,
    _ problem: String? = nil
  ) throws {
    let (tags, _) = try id.map(source.tags) ?? ([], true)
    var problems = [problem].compactMap { $0 }
    let (saved, isKept) = try seam.write(to: operation) { db in
      let writer = writer(db)
      let draft = writer.draft(
        content,
        title: trace.title,
        note: note,
        createdAt: trace.createdAt
      )
      let (saved, isKept) = try insert(draft, as: id, with: writer, in: db)
      try add(tags, to: saved, with: writer, &problems)
      return (saved, isKept)
    }
    if !isKept { problems.insert("it became snippet \(saved)", at: 0) }
    let row =
      id == nil
      ? "a blob without a row, which became snippet \(saved)"
      : "its row cannot be read, and was made anew of its content"
    didCopy(id, trace.title, [row] + problems)
  }

  /// Makes snippets from unfinished captures.
  mutating func copyCaptures() throws {
    for capture in try source.captures() {
      guard let bytes = try source.bytes(of: capture) else { continue }
      var problems = [bytes.problem].compactMap { $0 }
      let saved = try seam.write(to: operation) { db in
        let writer = writer(db)
        var draft = writer.draft(
          .blob(bytes, sha256: nil),
          title: capture.title,
          createdAt: capture.startedAt
        )
        draft.kind = capture.kind
        draft.mediaType = capture.mediaType
        let saved = try writer.insert(draft, as: nil)
        try add(capture.tags, to: saved, with: writer, &problems)
        return saved
      }
      let capturing = "it was a capture that was not finished, and became snippet \(saved)"
      didCopy(nil, capture.title, [capturing] + problems)
    }
  }
}
