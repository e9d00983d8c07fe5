#if GTK
import Foundation
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `the window speaks another language by a catalog in the folder of the user's data`()
    async throws
  {
    let folder = TemporaryDirectory.file("data/locale/de/LC_MESSAGES")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try catalog([
      "": "Content-Type: text/plain; charset=UTF-8\n", "Import files": "Dateien übernehmen",
      "Snippets": "Schnipsel",
    ]).write(to: folder.appending(path: "snip-window.mo"))
    let window = try WindowRun(
      ["--store", TemporaryDirectory.file("store.sqlite").path],
      environment: ["LANGUAGE": "de"]
    )
    try await window.untilWindow("Schnipsel")
    try await window.press("ctrl+o")
    try await window.untilWindow("Dateien übernehmen")
    try await window.press("Escape", "ctrl+q")
    #expect(try await window.end() == 0)
  }

  /// A catalog as `msgfmt` makes it.
  private func catalog(_ translations: [String: String]) -> Data {
    let pairs = translations.sorted { $0.key < $1.key }
    var (tables, texts) = ([UInt32](), Data())
    let start = 28 + 16 * pairs.count
    for text in pairs.map(\.key) + pairs.map(\.value) {
      tables += [UInt32(text.utf8.count), UInt32(start + texts.count)]
      texts += Data(text.utf8) + [0]
    }
    let header: [UInt32] = [
      0x9504_12DE, 0, UInt32(pairs.count), 28, UInt32(28 + 8 * pairs.count), 0, 0,
    ]
    return (header + tables).withUnsafeBytes { Data($0) } + texts
  }

  @Test func `the window is added to the menu of a desktop, and taken out again`() async throws {
    let files = [
      TemporaryDirectory.file("data/applications/snip.Window.desktop"),
      TemporaryDirectory.file("data/icons/hicolor/scalable/apps/snip.Window.svg"),
    ]
    #expect(try await WindowRun(["--install-desktop"]).end() == 0)
    let entry = try String(contentsOf: files[0], encoding: .utf8)
    let command = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=") })
    let program = command.dropFirst(6).dropLast().description
    #expect(FileManager.default.isExecutableFile(atPath: program))
    #expect(try Data(contentsOf: files[1]).starts(with: Data("<svg".utf8)))

    #expect(try await WindowRun(["--remove-desktop"]).end() == 0)
    #expect(!files.contains { FileManager.default.fileExists(atPath: $0.path) })
  }
}
#endif
