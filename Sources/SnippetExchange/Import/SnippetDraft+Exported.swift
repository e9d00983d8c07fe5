import Foundation
import SnippetBase
import SnippetStorage

extension SnippetDraft {
  /// Makes a draft from an exported file; `nil` if its entry in the manifest is not valid.
  init?(_ file: ExportedFiles.File) {
    let entry = file.entry
    guard let uuid = UUID(uuidString: entry.uuid), let kind = SnippetKind(name: entry.kind),
      let createdAt = Date(iso8601Milliseconds: entry.createdAt),
      let modifiedAt = Date(iso8601Milliseconds: entry.modifiedAt),
      let sha256 = Data(hexadecimal: entry.sha256), sha256.count == 32
    else { return nil }
    let encoding = entry.encoding.flatMap(TextEncoding.init(name:))
    guard kind != .text || encoding != nil else { return nil }
    self.init(
      .file(at: URL(fileURLWithPath: file.path, isDirectory: false)),
      kind: kind,
      mediaType: entry.mediaType,
      title: entry.title,
      // One that was removed does not come back from the bytes.
      note: kind == .text ? nil : entry.note ?? "",
      tags: entry.tags,
      isPinned: entry.pinned,
      createdAt: createdAt,
      uuid: uuid
    )
    self.modifiedAt = modifiedAt
    self.sha256 = sha256
    textEncoding = encoding
    hints.facts =
      MediaFacts(
        pixelWidth: entry.pixelWidth,
        pixelHeight: entry.pixelHeight,
        duration: entry.durationMilliseconds.map { .milliseconds($0) },
        sampleRate: entry.sampleRate,
        channelCount: entry.channelCount
      )
      .withinBounds
  }
}
