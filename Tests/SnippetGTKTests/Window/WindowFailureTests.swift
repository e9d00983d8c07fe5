#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `a file that is no store gets a window that says so, and a line on standard error`()
    async throws
  {
    let file = TemporaryDirectory.file("foreign.sqlite")
    try Data("This is no store, but it is long enough for a header.".utf8).write(to: file)
    let window = try WindowRun(["--store", file.path])
    try await window.untilWindow("Snippets")
    // Standard error has it before the window is there.
    #expect(window.complaints.hasPrefix("snip-window: Could not open"))
    try await window.press("ctrl+q")
    #expect(try await window.end() == 1)
  }

  @Test func `once its file is in place, a store that could not be opened can be`() async throws {
    let (store, path) = try await store(10, isDisposable: false)
    try await store.close()
    let file = TemporaryDirectory.file("late.sqlite")
    try Data("This is no store, but it is long enough for a header.".utf8).write(to: file)
    let window = try WindowRun(["--store", file.path])
    try await window.untilWindow("Snippets")

    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(atPath: path, toPath: file.path)
    // The button for another attempt has the focus.
    try await window.press("Return")
    try await window.untilPictures("the first screen is there") { isRun($0, from: 9) }
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
  }

  @Test func `a recording that cannot be played says so`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(Data(RealFiles.m4a)), title: "Memo"))
    // A system without a decoder for AAC, as it is without gstreamer1.0-libav.
    let window = try WindowRun(
      ["--store", TemporaryDirectory.file("store.sqlite").path],
      environment: [
        "GST_PLUGIN_FEATURE_RANK": "avdec_aac:NONE,avdec_aac_fixed:NONE,faad:NONE,fdkaacdec:NONE",
        "GST_REGISTRY_1_0": TemporaryDirectory.file("registry").path,
      ]
    )
    try await window.untilWindow("Snippets")
    try await until("the banner is there", within: .seconds(120)) {
      try await window.press("Escape", "Home", "Return", "ctrl+space")
      return try await window.screen().count(of: Screen.warning) > 10_000
    }
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
  }
}
#endif
