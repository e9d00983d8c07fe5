package import Foundation
package import SnippetRecognition

extension StoreSeam {
  /// Writes large blobs into the store in steps, and calls `body`, which makes snippets of them in
  /// transactions of its own.
  ///
  /// Smaller ones, and those that the store has, are passed on as they are. Staged blobs that no
  /// snippet took are removed afterwards.
  package func withStagedBlobs<Result>(
    _ blobs: [PreparedBlob],
    to operation: String,
    check: () throws -> Void,
    _ body: ([PreparedBlob]) throws -> Result
  ) throws -> Result {
    let staging = store.staging(for: operation)
    defer { staging.end() }
    return try body(blobs.map { try staging.stage($0, check: check) })
  }
}

extension PreparedSnippet {
  /// Makes a snippet of values that another store has checked; `body` must fit them.
  package init(
    uuid: UUID,
    kind: SnippetKind,
    title: String,
    preview: String,
    createdAt: Date,
    modifiedAt: Date,
    isPinned: Bool,
    byteCount: Int64,
    mediaType: String,
    facts: MediaFacts,
    body: Body
  ) {
    self.uuid = uuid
    self.kind = kind
    self.title = title
    self.preview = preview
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
    isIdentified = true
    self.isPinned = isPinned
    tags = []
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.facts = facts
    self.body = body
  }
}
