import Foundation
import SnippetStorage

/// The content of a snippet with what follows from it, as a row of the store has it.
struct SyncedContent: Hashable, Sendable {
  /// The bytes, or where they are.
  enum Body: Hashable, Sendable {
    /// A short text.
    case text(String)
    /// The SHA-256 of a blob, and the encoding of a text.
    case blob(Data, encoding: String?)
  }

  var kind: SnippetKind
  var body: Body
  var byteCount: Int64
  var mediaType: String
  var preview: String
  var facts: MediaFacts
  /// The title that the snippet had with this content: that of a conflict copy, and of a snippet
  /// that comes back.
  var title: String
  /// The path of the file that the content was imported from, below the imported folder.
  var file: String?
  /// The fields that a newer version of this package has written, as JSON by their keys.
  var others: [String: String] = [:]

  /// Whether another content has the same bytes; the other fields may differ.
  func hasBytes(of other: SyncedContent) -> Bool {
    kind == other.kind && body == other.body
  }
}

/// The content of a snippet: the versions that no known edit has replaced and no known deletion met.
///
/// An edit replaces all versions that its device knew, and a deletion lets them go. So there are several
/// only where devices have edited apart, and none once the snippet is deleted for good. The last one is
/// shown, and the others are kept for when that is deleted by a device which did not know them.
struct ContentVersions: Hashable, Sendable {
  /// The versions by the stamps of their edits.
  var versions: [Stamp: SyncedContent] = [:]
  /// The last edit of each device that is known; those of the versions are among them.
  var known: KnownEdits = [:]

  /// Makes a version that replaces others.
  init(_ content: SyncedContent, _ stamp: Stamp, replacing known: KnownEdits = [:]) {
    versions = [stamp: content]
    self.known = known
    self.known.add(stamp)
  }

  /// Takes versions with what is known.
  init(versions: [Stamp: SyncedContent] = [:], known: KnownEdits = [:]) {
    (self.versions, self.known) = (versions, known)
  }

  /// The stamp of the version to show; `nil` once the snippet is deleted for good.
  var last: Stamp? { versions.keys.max() }

  /// The version to show.
  var shown: SyncedContent? { last.flatMap { versions[$0] } }

  /// The versions that are not shown and whose bytes the one to show does not have, the oldest first.
  var hidden: [(stamp: Stamp, content: SyncedContent)] {
    guard versions.count > 1, let shown else { return [] }
    return versions.filter { !$0.value.hasBytes(of: shown) }.sorted { $0.key < $1.key }
      .map { (stamp: $0.key, content: $0.value) }
  }

  /// Replaces all versions.
  ///
  /// - Parameters:
  ///   - content: The content as it is now.
  ///   - edited: Milliseconds since 1970. The stamp is later than all known edits, however wrong a
  ///     clock is.
  ///   - device: The device that has edited it.
  mutating func replace(by content: SyncedContent, at edited: Int64, on device: DeviceID) {
    let time = Stamp.moment(of: edited, replacing: known.values.max())
    self = ContentVersions(content, Stamp(time, device), replacing: known)
  }

  /// Lets a version go, also where it comes later.
  mutating func drop(_ stamp: Stamp) {
    versions[stamp] = nil
    known.add(stamp)
  }

  /// Adds what another device knows.
  mutating func merge(_ other: ContentVersions) {
    versions = versions.merged(knowing: known, with: other.versions, knowing: other.known) {
      $0 == $1 || $0.order > $1.order ? $0 : $1
    }
    known.join(other.known)
  }
}

extension SyncedContent {
  /// An order of contents that means nothing, and is the same on each device.
  fileprivate var order: String {
    let body =
      switch body {
      case .text(let text): text
      case .blob(let hash, let encoding): "\(hash.base64EncodedString()) \(encoding ?? "")"
      }
    let others = others.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return """
      \(kind.rawValue) \(byteCount) \(mediaType) \(preview) \(title) \(file ?? "") \(facts) \(others) \(body)
      """
  }
}
