import Foundation
import Testing

/// The places in the sources that can write to a path.
///
/// A new one fails this test until it asks `requireNoStore`, or says here why it cannot destroy a
/// store.
struct WriterTests {
  private enum Safety {
    /// It asks before its first byte.
    case asks
    case because(String)
  }

  private static let writers: [String: Safety] = [
    "CStorage/file_system.c": .because("it is the mechanism, and its callers ask"),
    "CStorage/kept_locks.c": .because("it makes the files of SQLite, whose openings ask"),
    "SnipBrowser/Programs/EditedCopy.swift": .because("the file lies in a private folder"),
    "SnippetBase/Files/ClaimedFile.swift": .because("its names are made at random"),
    "SnippetBase/Files/FileSystem.swift": .because("it is the mechanism, and its callers ask"),
    "SnippetBase/Files/OpenFile.swift": .because("it is the mechanism, and its callers ask"),
    "SnippetBase/Files/OpenFolder.swift": .because("an export asks for its folder and files"),
    "SnippetBase/Files/SharedMemory.swift": .because("the file has no name"),
    "SnippetBase/PeakMemory.swift": .because("the file is one of the system"),
    "SnippetExchange/Export/DesktopTrash.swift": .asks,
    "SnippetExchange/Files/PrivateFolder.swift": .because("the folder is new"),
    "SnippetExchange/Export/UnfinishedFile.swift": .because("its names are made at random"),
    "SnippetExchange/Export/VaultFolder.swift": .asks,
    "SnippetRescue/Salvage/SalvagedFile.swift": .because("the copy has a name made at random"),
    "SnippetStorage/Connections/DiskReserve.swift": .because("the file is the store's own"),
    "SnippetStorage/Connections/StoreFile.swift": .asks,
    "SnippetStorage/Saving/SnippetContent.swift": .because("the file has no name"),
    "SnippetStorage/Upkeep/Restore.swift": .asks,
    "SnippetStorage/Upkeep/StoreCopy.swift": .because("backup, restore and salvage ask"),
    "SnippetStorage/Upkeep/UnfinishedCopy.swift": .because("its names are made at random"),
    "SnippetSync/Carriers/ObjectFolder.swift": .because("no store is named like an object"),
    "SnippetSync/Coordination/SyncTurn.swift": .because("it takes none but an empty file"),
    "snip/Output/ReplacementFile.swift": .asks,
    "snip/Sync/SyncKeyFile.swift": .asks,
    "snip-window/DesktopEntry.swift": .asks,
    "snip-window/OpenedSound.swift": .because("the name is made at random"),
    "snip-window/WindowApplication.swift": .asks,
    "snip-window/WindowState.swift": .asks,
  ]

  /// Calls that make, fill, rename or link a file.
  private static let calls = [
    "O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "mkstemp(", "creat(", "renameat(",
    "renameat2(", "linkat(", "{ rename(", "FileSystem.rename(", "folder.rename(",
    "FileHandle(forWriting", "FileHandle(forUpdating", ".write(to:", "createFile(", "copyItem(",
    ".moveItem(at", "linkItem(", "replaceItem", "createSymbolicLink(", "OutputStream(", "_to_file(",
    "OpenFile.temporary(", "OpenFile(path, .writeOnly", "OpenFile(path, .readWrite",
    ".readWrite,\n", ".writeOnly,\n",
  ]

  /// Lines that only look so.
  private static let others = [
    "connections.write(to:", "seam.write(to:", "value.write(to:", "FileDrag.write(to:",
    "collectionView.moveItem(", "\"/dev/null\"", "///",
  ]

  @Test func `every writer asks whether a store would be lost, or cannot destroy one`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
    var found: Set<String> = []

    for case let path as String in paths where path.hasSuffix(".swift") || path.hasSuffix(".c") {
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      guard let call = Self.call(in: text) else { continue }
      found.insert(path)
      switch Self.writers[path] {
      case .asks: #expect(text.contains("requireNoStore("), "\(path)")
      case .because: break
      case nil: Issue.record("\(path) writes to a path without asking: \(call)")
      }
    }

    #expect(Set(Self.writers.keys).subtracting(found).isEmpty, "these write no longer")
  }

  /// Returns a line that writes to a path; `nil` if there is none.
  private static func call(in text: String) -> Substring? {
    let calls = calls.filter(text.contains)
    guard !calls.isEmpty else { return nil }
    return text.split(separator: "\n").first { line in
      calls.contains { line.contains($0.dropLast($0.hasSuffix("\n") ? 1 : 0)) }
        && !others.contains(where: line.contains)
    }
  }
}
