import Foundation
import SnippetStorage

@testable import SnippetExchange

extension FuzzTarget {
  /// Reads a folder that Joplin has exported.
  ///
  /// A zero byte parts its items, of which there are at most eight.
  static let joplin = FuzzTarget("joplin") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 7, omittingEmptySubsequences: false)
    try JoplinFolder.withItems(parts.map { Data($0) }) { folder, names in
      guard var export = JoplinExport(in: folder, names) else { return }
      try require(export.itemNames.isSubset(of: names), "items are files of the folder")
      var count = 0
      while let item = export.next() {
        count += 1
        try requireItem(item, in: folder, export.resourcePaths)
      }
      while let other = export.nextLeftOut() {
        count += 1
        try require(other.path.hasPrefix(folder), "an item is in the folder: \(other)")
      }
      try require(count <= names.count, "a file is one item at most")
    }
  }

  private static func requireItem(
    _ item: JoplinExport.Item,
    in folder: String,
    _ resourcePaths: Set<[UInt8]>
  ) throws {
    let isResource = resourcePaths.contains(Array(item.path.utf8))
    let place = folder + (isResource ? "/resources/" : "/")
    let name = item.path.utf8.dropFirst(place.utf8.count)
    try require(
      item.path.hasPrefix(place) && !name.contains(UInt8(ascii: "/")),
      "an item is in its folder: \(item.path)"
    )
    let draft = try item.read().draft
    for tag in draft.tags {
      try require(TextRules.fittingTag(tag) == tag, "a store takes the tag \(tag.debugDescription)")
    }
    if let title = draft.title {
      let fitting = TextRules.fittingTitle(title)
      try require(fitting == title, "a store takes the title \(title.debugDescription)")
    }
    try require(draft.uuid != nil, "an item keeps its identity")
    try require(draft.createdAt == nil || draft.modifiedAt != nil, "what was made has been changed")
  }
}

/// A folder with up to eight items and the file of a resource.
private enum JoplinFolder {
  private static let folder = TargetFolder(for: "joplin") { path in
    try FileManager.default.createDirectory(
      atPath: "\(path)/resources",
      withIntermediateDirectories: true
    )
    try Data("milk".utf8).write(to: URL(fileURLWithPath: "\(path)/resources/\(id(1)).txt"))
  }

  static func withItems(_ items: [Data], _ body: (String, [String]) throws -> Void) throws {
    try folder.use { path in
      let names = items.indices.map { "\(id($0)).md" }
      for (name, bytes) in zip(names, items) {
        try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      try body(path, names)
    }
  }

  private static func id(_ number: Int) -> String {
    String(repeating: "\(number)", count: 32)
  }
}
