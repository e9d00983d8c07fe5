#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `the file chooser imports what was chosen, and nothing when it is left`()
    async throws
  {
    let store = try TemporaryStore.open()
    // The home folder of the program; the last file can be reached by a key.
    let last = TemporaryDirectory.file("zz.txt")
    try Data("Left".utf8).write(to: last)
    let chosen = TemporaryDirectory.file("chosen.txt")
    try Data("Chosen".utf8).write(to: chosen)
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])

    try await window.untilWindow("Snippets")
    try await window.press("ctrl+o")
    try await window.untilWindow("Import files")
    try await until("the last file is selected", within: .seconds(120)) {
      try await window.press("alt+Home", "End")
      return try await window.screen().count(of: (53, 132, 228)) > 1_000
    }
    try await window.press("Escape")
    try await window.untilNoWindow("Import files")

    try await window.press("ctrl+o")
    try await window.untilWindow("Import files")
    try await window.type(chosen.path)
    try await window.press("Return")
    let list = store.list()
    try await until("it is imported", within: .seconds(120)) { try list.count > 0 }
    #expect(try list.rows(in: 0..<list.count).map(\.title) == ["chosen"])
    try await close(window)
  }

  @Test func `a folder can be chosen for import`() async throws {
    let store = try TemporaryStore.open()
    let folder = TemporaryDirectory.file("notes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["milk", "eggs"] {
      try Data(name.utf8).write(to: folder.appending(path: "\(name).txt"))
    }
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])

    try await window.untilWindow("Snippets")
    try await window.press("ctrl+shift+o")
    try await window.untilWindow("Import a folder")
    try await window.type(folder.path)
    try await window.press("Return")
    let list = store.list()
    try await until("both notes are imported", within: .seconds(120)) { try list.count == 2 }
    try await close(window)
  }

  @Test func `what is chosen during an import is imported after it`() async throws {
    let store = try TemporaryStore.open()
    for (name, count) in [("many", 4_000), ("few", 3)] {
      let folder = TemporaryDirectory.file(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for number in 0..<count {
        try Data("\(name) \(number)".utf8).write(to: folder.appending(path: "\(number).txt"))
      }
    }
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    let list = store.list()

    try await window.untilWindow("Snippets")
    for name in ["many", "few"] {
      try await window.press("ctrl+shift+o")
      try await window.untilWindow("Import a folder")
      try await window.type(TemporaryDirectory.file(name).path)
      try await window.press("Return")
      try await until("the import runs", within: .seconds(120)) { try list.count > 0 }
    }
    try await until("all are imported", within: .seconds(120)) { try list.count == 4_003 }
    try await close(window)
  }

  @Test func `a picture that is pasted gets a title`() async throws {
    let store = try TemporaryStore.open()
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try window.copy(NumberedPicture.file(1), as: "image/bmp")
    let list = store.list()
    try await until("it is there", within: .seconds(120)) {
      try await window.press("ctrl+shift+v")
      return try list.count > 0
    }
    #expect(try list.row(at: 0)?.title.hasPrefix("Pasted on ") == true)
    try await close(window)
  }
}
#endif
