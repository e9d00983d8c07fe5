#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `the first key selects the first row, in the list and in the gallery`() async throws {
    let (_, path) = try await store(40)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 39) }
    try await window.press("Down", "Return")
    try await window.untilPictures("the first is opened") { $0.map(\.number) == [39] }
    try await close(window)

    let gallery = try WindowRun(["--store", path])
    try await gallery.untilPictures("the first screen is there") { isRun($0, from: 39) }
    try await gallery.press("ctrl+g")
    try await gallery.untilPictures("the gallery is there") { pictures in
      pictures.count >= 2 && pictures[1].number < 38
    }
    try await gallery.press("Next", "Return")
    try await gallery.untilPictures("the first is opened") { $0.map(\.number) == [39] }
    try await close(gallery)
  }

  @Test func `rows that are deleted are in the trash, and a button brings all of them back`()
    async throws
  {
    let (store, path) = try await store(40)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 39) }
    let trash = store.list(.trash)

    try await window.press("Home", "shift+Down", "shift+Down", "Delete")
    try await until("three are in the trash", within: .seconds(120)) { try trash.count == 3 }
    try await window.untilPictures("they are gone") { $0.first?.number == 36 }
    // The button in the message.
    try await window.click(802, 76)
    try await until("they are back", within: .seconds(120)) { try trash.count == 0 }

    try await window.untilPictures("they are on screen") { isRun($0, from: 39) }
    try await window.press("Home", "Delete")
    try await until("one is in the trash", within: .seconds(120)) { try trash.count == 1 }
    // GTK loses a key that comes as the row with the focus goes.
    try await window.untilPictures("its row has gone") { isRun($0, from: 38) }
    try await window.press("Home", "ctrl+z")
    try await until("it is back", within: .seconds(120)) { try trash.count == 0 }
    try await close(window)
  }

  @Test func `a right click selects a row and shows what can be done with it`() async throws {
    let (store, path) = try await store(40)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 39) }
    let second = try await window.screen().pictures()[1]
    let trash = store.list(.trash)

    try await until("its command was carried out", within: .seconds(120)) {
      try await window.click(400, second.lines.lowerBound, button: 3)
      // The last command moves it to the trash. The keys may come before the menu does.
      try await window.press("Up", "Return")
      do {
        try await until("it is in the trash", within: .seconds(15)) { try trash.count > 0 }
        return true
      } catch {
        try await window.press("Escape")
        return false
      }
    }
    #expect(try trash.rows(in: 0..<1).map(\.title) == ["Picture 38"])
    // A key that comes as the row with the focus goes is lost.
    try await window.untilPictures("the row has gone") { pictures in
      pictures.prefix(3).map(\.number) == [39, 37, 36]
    }
    try await close(window)
  }

  @Test func `the trash is emptied once that is confirmed`() async throws {
    let (store, path) = try await store(20)
    try await store.moveToTrash(try store.list().rows(in: 0..<5).map(\.id))
    let trash = store.list(.trash)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 14) }
    // The filter, and in it the trash.
    try await window.click(110, 27)
    try await until("the trash is on screen", within: .seconds(120)) {
      // The filter covers the first pictures. The first click may come before it does.
      try await window.click(136, 322)
      do {
        try await until("it is shown", within: .seconds(15)) {
          try await window.screen().pictures().last?.number == 15
        }
        return true
      } catch { return false }
    }
    try await window.press("Escape")
    // The button beside what is shown.
    for key in ["Escape", "Tab"] {
      try await window.click(700, 76)
      try await window.untilWindow("Delete for good")
      #expect(try trash.count == 5)
      try await window.press(key)
    }
    try await window.press("Return")
    try await until("it is empty", within: .seconds(120)) { try trash.count == 0 }
    #expect(try store.list().count == 15)
    try await close(window)
  }

  @Test func `a new note is typed into, and one that is left empty vanishes`() async throws {
    let store = try TemporaryStore.open()
    let list = store.list()
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.untilWindow("Snippets")
    try await window.press("ctrl+n")
    try await until("it is there", within: .seconds(120)) { try list.count == 1 }
    let id = try #require(try list.row(at: 0)?.id)
    try await until("it can be typed into", within: .seconds(120)) {
      try await window.type("Milk ")
      return try await store.text(of: id).hasSuffix("Milk ")
    }
    try await window.press("ctrl+n")
    try await until("another one is there", within: .seconds(120)) { try list.count == 2 }
    try await window.press("Escape")
    try await until("it has vanished", within: .seconds(120)) { try list.count == 1 }
    #expect(try list.row(at: 0)?.id == id)
    // GTK loses a key that comes as the row with the focus goes.
    try await until("its row has gone", within: .seconds(120)) {
      let screen = try await window.screen()
      return screen.firstDark(in: 110..<400, lines: 56..<122) != nil
        && screen.firstDark(in: 110..<400, lines: 122..<188) == nil
    }

    try await window.press("ctrl+n")
    try await until("a third one is there", within: .seconds(120)) { try list.count == 2 }
    try await close(window)
    #expect(try list.count == 1)
  }

  @Test func `a title that is being typed is given up by Escape`() async throws {
    let (store, path) = try await store(1)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the list is there") { $0.map(\.number) == [0] }
    try await window.press("Down", "Return")
    try await window.untilPictures("it is opened") { ($0.first?.lines.lowerBound ?? 0) > 200 }
    // The title is above the picture.
    try await window.click(300, 72)
    try await window.type(" of a lake")
    try await window.press("Escape")
    try await close(window)
    #expect(try store.list().row(at: 0)?.title == "Picture 0")
  }

  @Test func `a text and a picture are copied to the clipboard`() async throws {
    let store = try TemporaryStore.open()
    let picture = NumberedPicture.file(3)
    try await store.save(SnippetDraft(.bytes(picture), createdAt: Self.start))
    try await store.save(SnippetDraft(.text("Milk\nEggs\n")))
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.untilPictures("the list is there") { $0.map(\.number) == [3] }

    try await until("the text is copied", within: .seconds(120)) {
      try await window.press("Home", "ctrl+c")
      return try await window.clipboard(as: "UTF8_STRING") == Data("Milk\nEggs\n".utf8)
    }
    try await until("the picture is copied", within: .seconds(120)) {
      try await window.press("End", "ctrl+c")
      return try await window.clipboard(as: "image/bmp") == picture
    }
    // Programs that know another format get that.
    #expect(try await window.clipboard(as: "image/png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
    try await close(window)
  }
}
#endif
