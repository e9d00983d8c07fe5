import Foundation
import SnippetBase

extension SnippetStore {
  /// Starts to capture a snippet whose bytes arrive in pieces.
  ///
  /// On return the capture exists, without any bytes, and every process can see it.
  ///
  /// - Parameters:
  ///   - title: The title; with `nil`, the default, it is the first line of a text, or the title
  ///     inside a recording or a PNG.
  ///   - tags: The tags; none by default.
  ///   - kind: The kind; `nil`, the default, is decided by the bytes.
  ///   - mediaType: The media type; `nil`, the default, is decided by the bytes.
  /// - Returns: The capture, to which you append the bytes.
  /// - Throws: ``SnippetStoreError``: `.invalidInput` for an invalid title or tag; `.busy`, after
  ///   which you can try again.
  public func startCapture(
    title: String? = nil,
    tags: [String] = [],
    kind: SnippetKind? = nil,
    mediaType: String? = nil
  ) async throws(SnippetStoreError) -> Capture {
    let operation = "start a capture"
    let date = configuration.now()
    let plan = CapturePlan(
      uuid: UUID.timeOrdered(at: date),
      kind: kind,
      title: try title.map { text throws(SnippetStoreError) in
        try TextRules.title(text, during: operation)
      },
      tags: try TextRules.tags(tags, during: operation),
      mediaType: try mediaType.map { text throws(SnippetStoreError) in
        try TextRules.mediaType(text, during: operation)
      }
    )
    let id = try await connections.write(to: operation) { db in
      try CaptureStatements(db: db).insert(plan, at: date)
    }
    return Capture(
      id,
      plan.uuid,
      connections: connections,
      blobReaders: blobReaders,
      now: configuration.now
    )
  }

  /// Returns the captures that have not become snippets: those in progress, and those left from a
  /// crash.
  ///
  /// - Returns: The captures, earliest first.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*n*) in the number of captures.
  public func captures() async throws(SnippetStoreError) -> [CaptureRow] {
    try await connections.read(.rows, to: "list the captures") { db in
      try CaptureStatements(db: db).rows()
    }
  }

  /// Makes a snippet from a capture that is left from a crash.
  ///
  /// Its bytes are read once to compute their hash; then the writer is held for some milliseconds.
  ///
  /// - Parameters:
  ///   - id: The capture.
  ///   - kind: The kind to use if none was given at the start; `nil`, the default, is decided by
  ///     the bytes. An image or a recording in an unknown format is stored as
  ///     `application/octet-stream`.
  /// - Returns: The row of the snippet, which is durable.
  /// - Throws: ``SnippetStoreError``: `.busy` while the capture is in progress; `.notFound` if it
  ///   has ended; `.unsupportedContent` if there are no bytes or their kind is unknown;
  ///   `.cancelled` if the task was cancelled before all bytes were read, and then the capture
  ///   still exists.
  /// - Complexity: O(*m*) for *m* bytes, in constant memory.
  @discardableResult
  public func finishCapture(
    _ id: CaptureID,
    kind: SnippetKind? = nil
  ) async throws(SnippetStoreError) -> SnippetRow {
    try await OwnThreads.run(to: "finish capture \(id)") { [self] check in
      try finish(id, kind, check: check)
    }
  }

  /// Removes a capture that is left from a crash, with all its bytes.
  ///
  /// - Parameter id: The capture. One that has ended is not an error.
  /// - Throws: ``SnippetStoreError``: `.busy` while the capture is in progress; `.cancelled` if the
  ///   task was cancelled before the removal began.
  public func discardCapture(_ id: CaptureID) async throws(SnippetStoreError) {
    try await OwnThreads.run(to: "discard capture \(id)") { [self] _ in
      let operation = "discard capture \(id)"
      let row = try connections.read(.rows, to: operation) {
        try CaptureStatements(db: $0).row(id)
      }
      if let row { try Self.requireLeft(row, operation) }
      try connections.discardCapture(id)
    }
  }

  private func finish(
    _ id: CaptureID,
    _ kind: SnippetKind?,
    check: @escaping () throws -> Void
  ) throws(SnippetStoreError) -> SnippetRow {
    let operation = "finish capture \(id)"
    let row = try connections.capture(id, to: operation)
    try Self.requireLeft(row, operation)
    return try CaptureFinish(
      connections: connections,
      blobReaders: blobReaders,
      now: configuration.now(),
      operation: operation,
      kind: kind,
      check: check
    ).run(row, sha256: nil)
  }

  private static func requireLeft(
    _ row: CaptureRow,
    _ operation: String
  ) throws(SnippetStoreError) {
    guard row.isInProgress else { return }
    throw SnippetStoreError(
      .busy,
      operation,
      because: "it is still being captured",
      do: "End the program that captures, then try again."
    )
  }
}
