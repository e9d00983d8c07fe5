#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `the cursor stays where it is in a text that others change`() async throws {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("Äpfel 🍎"))).id
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.openFirstText(id, of: store)

    // A line before that of the cursor, then words right behind it.
    let wide = String(repeating: "W", count: 50)
    for (text, lines) in [
      ("\(wide)\n!Äpfel 🍎", 112..<128), ("\(wide)\n!\(wide)Äpfel 🍎", 134..<150),
    ] {
      try await store.apply(SnippetEdit(text: text), to: id)
      try await until("it is on screen", within: .seconds(120)) {
        try await window.screen().firstDark(in: 600..<700, lines: lines) != nil
      }
    }
    try await window.type("?")
    try await until("it is saved", within: .seconds(120)) {
      try await store.text(of: id).contains("?")
    }
    #expect(try await store.text(of: id) == "\(wide)\n!?\(wide)Äpfel 🍎")
    try await close(window)
  }

  @Test func `a text that was given up for that of others comes back by a button`() async throws {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("Milk"))).id
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.openFirstText(id, of: store)
    try await window.type("Bread, ")
    try await store.apply(SnippetEdit(text: "Eggs"), to: id)

    try await window.press("ctrl+End")
    try await window.type(".")
    try await until("the conflict is told", within: .seconds(120)) {
      try await window.screen().isConflictTold
    }
    try await window.click(672, try #require(try await window.screen().bannerMiddle))
    try await until("it is answered", within: .seconds(120)) {
      try await !window.screen().isConflictTold
    }
    #expect(try await store.text(of: id) == "Eggs")
    try await window.click(802, try #require(try await window.screen().bannerMiddle))
    try await until("the text is back", within: .seconds(120)) {
      try await store.text(of: id) == "!Bread, Milk."
    }
    try await close(window)
  }
}
#endif
