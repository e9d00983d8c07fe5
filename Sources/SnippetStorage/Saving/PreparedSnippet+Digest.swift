import Foundation
import SnippetRecognition

extension PreparedSnippet {
  /// Returns the digest of its row at insertion, with the first revision.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of a text that is stored as a blob.
  ///   - blob: The blob.
  /// - Returns: The digest.
  func digest(encoding: TextEncoding?, blob: BlobID?) -> Int64 {
    var digest = SnippetDigest(
      sum: 1 + createdAt.milliseconds + modifiedAt.milliseconds + (isPinned ? 1 : 0)
    )
    withUnsafeBytes(of: uuid.uuid) { digest.add($0) }
    digest.add(Int64(kind.rawValue))
    digest.add(title)
    digest.add(preview)
    digest.add(byteCount)
    digest.add(mediaType)
    digest.add(encoding?.name)
    digest.add(facts.pixelWidth.map(Int64.init))
    digest.add(facts.pixelHeight.map(Int64.init))
    digest.add(facts.duration.map(\.milliseconds))
    digest.add(facts.sampleRate.map(Int64.init))
    digest.add(facts.channelCount.map(Int64.init))
    digest.add(blob?.rawValue)
    guard case .text(var body) = body else {
      return digest.value(body: .init(start: nil, count: 0))
    }
    return body.withUTF8 { digest.value(body: UnsafeRawBufferPointer($0)) }
  }
}
