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

/// A version of a snippet's content, with the versions that its author knew.
struct ContentVersion: Hashable, Sendable {
  var stamp: Stamp
  /// The last version of each device that went into this one, in milliseconds since 1970; this one
  /// among them.
  var known: [DeviceID: Int64]
  /// The content; `nil` once this version was deleted for good.
  var content: SyncedContent?

  /// Makes a version that replaces others.
  init(_ content: SyncedContent?, _ stamp: Stamp, replacing known: [DeviceID: Int64] = [:]) {
    self.stamp = stamp
    self.known = known
    self.known[stamp.device] = stamp.milliseconds
    self.content = content
  }

  /// Whether the author of this version knew another one, or it is that version.
  func knows(_ other: ContentVersion) -> Bool {
    known[other.stamp.device].map { $0 >= other.stamp.milliseconds } ?? false
  }
}

extension ContentVersion {
  /// Merges versions of one snippet.
  ///
  /// - Parameter versions: The versions in any order; at least one.
  /// - Returns: The last version, which knows all that any of them knew, and the other versions that
  ///   no author knew and whose bytes the last one does not have: they would be lost.
  static func merged(
    _ versions: [ContentVersion]
  ) -> (last: ContentVersion, unknown: [ContentVersion]) {
    var byStamp: [Stamp: ContentVersion] = [:]
    for version in versions {
      byStamp[version.stamp, default: version].joinCopy(version)
    }
    let distinct = byStamp.values.sorted { $0.stamp < $1.stamp }
    var last = distinct[distinct.count - 1]
    let unknown = distinct.dropLast().filter { version in
      guard let content = version.content else { return false }
      let isKnown = distinct.contains { $0.stamp != version.stamp && $0.knows(version) }
      return !isKnown && last.content.map(content.hasBytes) != true
    }
    for version in distinct { last.known.merge(version.known, uniquingKeysWith: max) }
    return (last, unknown)
  }

  /// Joins another copy of this version, which may know of more or have been deleted.
  private mutating func joinCopy(_ other: ContentVersion) {
    known.merge(other.known, uniquingKeysWith: max)
    guard let content else { return }
    guard let theirs = other.content else { return self.content = nil }
    // Only a device that forgot its identity can give one stamp twice.
    if content != theirs, content.order < theirs.order { self.content = theirs }
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
      \(kind.rawValue) \(mediaType) \(preview) \(title) \(file ?? "") \(facts) \(others) \(body)
      """
  }
}
