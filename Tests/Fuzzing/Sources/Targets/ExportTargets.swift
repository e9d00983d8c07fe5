import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

@testable import SnippetExchange

extension FuzzTarget {
  /// Makes the name of an exported file out of any title.
  static let exportedName = FuzzTarget("exported-name") { bytes in
    var input = FuzzBytes(bytes)
    let kinds = SnippetKind.allCases
    let kind = kinds[Int(input.byte()) % kinds.count]
    let number = Int64(bitPattern: input.number())
    let mediaType = input.line()
    let title = input.text()
    let row = SnippetRow(
      id: SnippetID(rawValue: number),
      uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      kind: kind,
      title: title,
      createdAt: .distantPast,
      modifiedAt: .distantPast,
      byteCount: 0,
      mediaType: mediaType
    )

    let name = ExportedName(of: row)

    let shown = name.name.debugDescription
    try require(name.path == "\(name.folder)/\(name.name)", "a path is a folder and a name")
    try require(!name.folder.utf8.contains(UInt8(ascii: "/")), "a folder is one: \(name.folder)")
    try require(name.name.utf8.count <= 255, "a name has at most 255 bytes: \(shown)")
    try require(name.name.hasPrefix("\(number)"), "a name begins with its number: \(shown)")
    let isHarmless = name.name.unicodeScalars.allSatisfy {
      !"/\\:*?\"<>|".unicodeScalars.contains($0) && !isMisleading($0)
    }
    try require(isHarmless, "a name is harmless: \(shown)")
    try require(
      !name.name.hasSuffix(".") && !name.name.hasSuffix(" "),
      "Windows keeps it: \(shown)"
    )
  }

  /// Reads the list of an export, and the snippets that it describes.
  static let manifest = FuzzTarget("manifest") { bytes in
    try ManifestFolder.withManifest(bytes) { try requireFiles(in: $0, for: bytes) }
  }

  private static func requireFiles(
    in folder: String,
    for bytes: UnsafeRawBufferPointer
  ) throws {
    // A manifest of a newer version is refused.
    guard var files = try? ExportedFiles(in: folder) else { return }
    let lineCount = bytes.count { $0 == 0x0A } + 1
    var count = 0
    while let entry = files.next() {
      // These come once the manifest has been read.
      if case .leftOut = entry { continue }
      count += 1
      try require(count <= lineCount, "a line names one file at most")
      guard case .exported(let file) = entry else { continue }
      let parts = file.path.utf8.dropFirst(folder.utf8.count + 1)
        .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      try require(
        file.path.hasPrefix(folder + "/") && parts.count == 2
          && !parts.contains { ["", ".", ".."].contains($0) },
        "a file is in a folder of the export: \(file.path)"
      )
      try require(file.byteCount == ManifestFolder.text.count, "its size is that of the file")
      try requireEntry(file)
    }
  }

  private static func requireEntry(_ file: ExportedFiles.File) throws {
    let line = try ExportManifest.line(file.entry)
    let again = try JSONDecoder().decode(ExportManifest.Entry.self, from: line)
    try require(again == file.entry, "an entry is read as it was written: \(file.entry)")
    try require(line.dropLast().firstIndex(of: 0x0A) == nil, "an entry is one line")
    guard let draft = SnippetDraft(file) else { return }
    let facts = draft.hints.facts
    try require(facts == facts.withinBounds, "facts are in bounds: \(facts)")
    try require(draft.sha256?.count == 32, "a hash has 32 bytes")
    try require(
      draft.createdAt?.iso8601Milliseconds == file.entry.createdAt,
      "a date is read as it was written: \(file.entry.createdAt)"
    )
  }

  /// Whether a character has an effect and no sign of its own, but for joiners.
  static func isMisleading(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2066...0x2069, 0xFEFF, 0xE0001...0xE007F:
      true
    default: false
    }
  }
}

/// A folder with one exported text.
private enum ManifestFolder {
  static let text = Data("milk".utf8)

  private static let folder = TargetFolder(for: "manifest") { path in
    for name in ["texts", "images"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try text.write(to: URL(fileURLWithPath: "\(path)/texts/1 a.txt"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/link",
      withDestinationPath: "texts"
    )
  }

  static func withManifest(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (String) throws -> Void
  ) throws {
    try folder.use { path in
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(ExportManifest.fileName)"))
      try body(path)
    }
  }
}
