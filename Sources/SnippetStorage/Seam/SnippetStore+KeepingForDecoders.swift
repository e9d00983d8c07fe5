package import Foundation
import GRDB
import SnippetBase

/// Used by SnippetMedia, whose decoding runs on threads of the loader that may block.
extension SnippetStore {
  /// Reads a derivative as ``derivative(of:by:)`` does, and blocks.
  package func blockingDerivative(
    of blob: BlobID,
    by recipe: Recipe
  ) throws(SnippetStoreError) -> Data? {
    let read = derivativeReading(of: blob, by: recipe)
    return try connections.read(.smallReads, to: Self.readingDerivatives) { try read($0) }
  }

  /// Keeps derivatives as ``saveDerivatives(_:)`` does, and blocks; a failure goes to the store's
  /// events.
  @discardableResult
  package func blockingSaveDerivatives(
    _ derivatives: [Derivative]
  ) throws(SnippetStoreError) -> Int {
    let save = derivativeSaving(derivatives)
    // The loader already has its picture, and continues without a stored one.
    return try connections.events.noting(.keepingDerivatives) { () throws(SnippetStoreError) in
      try connections.write(to: Self.savingDerivatives) { db in try save(db) }
    }
  }

  /// Reads the playing times of the recordings with a blob, `nil` where it is unknown, and blocks.
  package func blockingDurations(
    of blob: BlobID
  ) throws(SnippetStoreError) -> [Duration?] {
    try connections.read(.smallReads, to: Self.readingDerivatives) { db in
      var statement = try SteppedStatement(
        "SELECT duration_ms FROM snippet WHERE blob_id = ? AND kind = 3",
        in: db
      )
      try statement.bind(blob.rawValue)
      var durations: [Duration?] = []
      while let row = try statement.next() {
        durations.append(try row.optionalNumber(0).map { .milliseconds($0) })
      }
      return durations
    }
  }

  /// Corrects the playing time of the recordings with a blob, which a decoder has counted, and
  /// blocks.
  ///
  /// It belongs to the bytes, so it is no edit: the date of the last change stays.
  package func blockingCorrectDuration(
    of blob: BlobID,
    to duration: Duration
  ) throws(SnippetStoreError) {
    try connections.events.noting(.keepingDerivatives) { () throws(SnippetStoreError) in
      try connections.write(to: Self.savingDerivatives) { db in
        try SnippetWriter(db: db).correctDuration(of: blob, to: duration)
      }
    }
  }

  /// Corrects the pixel size of the images with a blob, which a decoder has found, and blocks.
  ///
  /// It belongs to the bytes, as a playing time does. If the rows have it, nothing is written.
  package func blockingCorrectPixelSize(
    of blob: BlobID,
    width: Int,
    height: Int
  ) throws(SnippetStoreError) {
    let isOther = try connections.read(.smallReads, to: Self.readingDerivatives) { db in
      try !SnippetWriter(db: db).images(with: blob, besidesWidth: width, height: height).isEmpty
    }
    guard isOther else { return }
    try connections.events.noting(.keepingDerivatives) { () throws(SnippetStoreError) in
      try connections.write(to: Self.savingDerivatives) { db in
        try SnippetWriter(db: db).correctPixelSize(of: blob, width: width, height: height)
      }
    }
  }
}
