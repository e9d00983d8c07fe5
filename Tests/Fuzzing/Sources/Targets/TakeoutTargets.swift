import Foundation
import SnippetStorage

@testable import SnippetExchange

extension FuzzTarget {
  /// Reads the JSON beside a picture of Google Photos, and finds it by its name.
  ///
  /// A zero byte parts the JSON from the names of files, of which there are at most eight.
  static let sidecar = FuzzTarget("sidecar") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 8, omittingEmptySubsequences: false)
    let sidecar = JSONFields(Data(parts[0])).flatMap(PhotoSidecar.init)
    if let sidecar { try requireDescription(sidecar.description) }
    let names = parts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let sidecars = names.filter { $0.hasSuffix(".json") }
    let pairs = SidecarNames(sidecars.map { ($0, sidecar?.fileName) })
    for name in names {
      let found = pairs.match(name).sidecars
      try require(Set(found).isSubset(of: sidecars), "what is found was given: \(found)")
    }
  }

  /// Reads a note of Google Keep.
  static let keep = FuzzTarget("keep") { bytes in
    guard let note = JSONFields(Data(bytes)).flatMap(KeepNote.init) else { return }
    try requireDescription(note.description)
    try require(note.identity(nil) == note.identity(nil), "a note has one identity")
    try require(!note.attachments.contains(""), "an attachment has a name")
  }

  /// Reads what a bundle tells of its text, and the heading of the text.
  ///
  /// A zero byte parts the two.
  static let bundle = FuzzTarget("bundle") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    if let fields = JSONFields(Data(parts[0])) {
      try requireDescription(TextBundle.description(fields))
    }
    guard parts.count > 1, let heading = TextBundle.heading(Data(parts[1])) else { return }
    let isLine = !heading.contains(where: \.isNewline) && !heading.isEmpty
    try require(isLine, "a heading is a line: \(heading.debugDescription)")
  }

  private static func requireDescription(_ description: FileDescription) throws(BrokenRule) {
    for tag in description.tags {
      try require(TextRules.fittingTag(tag) == tag, "a store takes the tag \(tag.debugDescription)")
    }
    let dates = [
      description.takenAt, description.addedAt, description.createdAt, description.modifiedAt,
    ]
    for date in dates.compactMap(\.self) {
      try require(
        (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970),
        "a date is one that a store accepts: \(date)"
      )
    }
    var draft = SnippetDraft(.text(""))
    description.complete(&draft)
    if let title = draft.title {
      let fitting = TextRules.fittingTitle(title)
      try require(fitting == title, "a store takes the title \(title.debugDescription)")
    }
  }
}
