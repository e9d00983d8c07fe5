import Foundation
import SnippetBase

@testable import SnippetExchange

extension FuzzTarget {
  /// Unpacks an export of Evernote.
  ///
  /// Without libxml2 it only tells it apart.
  static let enex = FuzzTarget("enex") { bytes in
    guard EvernoteNotes.begins(Array(bytes.prefix(512))), XMLParts.isAvailable else { return }
    try UnpackingFolder.withPacked(Data(bytes)) { file, root in
      let folder = try OpenFolder(making: root)
      var unpacking = EvernoteUnpacking(file, into: folder, check: {})
      try unpacking.run()

      let names = try FileManager.default.contentsOfDirectory(atPath: root)
      let isBundles = names.allSatisfy { $0.hasSuffix(".textbundle") }
      try require(isBundles, "each note is a bundle: \(names)")
      for name in names {
        let inside = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(name)")
        let isWhole = inside.contains(TextBundle.infoName) && inside.contains("text.md")
        try require(isWhole, "a bundle has its text: \(inside)")
      }
      let isNamed = unpacking.isComplete || !unpacking.missing.isEmpty
      try require(isNamed, "what is missing is named")
      for missing in unpacking.missing {
        let path =
          switch missing {
          case .leftOut(let thing): thing.path
          case .failure(let path, _): path
          }
        try require(path.hasPrefix(root), "what is missing is in the export: \(path)")
      }
    }
  }

  /// Makes Markdown of the content of a note of Evernote.
  static let enml = FuzzTarget("enml") { bytes in
    let link = "![p.png](assets/p.png)"
    let content = String(decoding: bytes, as: UTF8.self)
    let text = EvernoteText(content, links: ["0cc175b9c0f1b6a831c399e269772661": link])
    guard XMLParts.isAvailable, XMLParts(html: content) != nil else { return }
    try require(text.text.contains(link), "each file is in the text: \(text.text.debugDescription)")
    // An element costs marks of a few levels at most.
    let limit = 64 * (bytes.count + 64)
    try require(text.text.utf8.count < limit, "a text does not grow: \(text.text.utf8.count)")
  }
}
