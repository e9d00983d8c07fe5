#if GTK
import Foundation
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

extension WindowTests {
  @Test func `titles are in line, whatever shapes the pictures have`() async throws {
    let store = try TemporaryStore.open()
    // From a strip over a panorama to a tower.
    for (number, (width, height)) in [(6, 24), (60, 24), (300, 24), (6, 420)].enumerated() {
      try await store.save(
        SnippetDraft(
          .bytes(NumberedPicture.file(number, bandWidth: width, height: height)),
          title: "Picture \(number)",
          createdAt: Self.start - Double(number)
        )
      )
    }
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])

    try await window.untilPictures("the first picture is there") { $0.first?.number == 0 }
    var screen = try await window.screen()
    func starts() -> [Int?] {
      // The first row begins below the header, and each is 76 high.
      (0..<4).map { row in
        screen.firstDark(in: 110..<400, lines: 56 + 76 * row..<122 + 76 * row)
      }
    }
    try await until("all rows are there", within: .seconds(120)) {
      screen = try await window.screen()
      return starts().allSatisfy { $0 != nil }
    }
    #expect(Set(starts()).count == 1)
    try await close(window)
  }

  @Test func `the line at the bottom says that a restored store waits for a choice`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("a text")))
    let file = TemporaryDirectory.file("store.sqlite")
    let joined = try await Shell.sqlite3(
      file,
      ".timeout 60000",
      SyncSample.state,
      "UPDATE sync_state SET place = ''"
    )
    #expect(joined.status == 0)
    let window = try WindowRun(["--store", file.path])
    try await window.untilFocused("Snippets")

    // The words for a store that waits for nothing end before. A screen on which nothing is drawn
    // yet is dark above them, too.
    try await until("the words are there", within: .seconds(120)) {
      let screen = try await window.screen()
      return screen.firstDark(in: 330..<460, lines: 697..<712, below: 150) != nil
        && screen.firstDark(in: 330..<460, lines: 640..<660, below: 150) == nil
    }
    try await close(window)
  }

  @Test func `in the gallery a long note is a tile like any other`() async throws {
    let store = try TemporaryStore.open()
    let note = (1...40).map { "Paragraph \($0)" }.joined(separator: "\n\n")
    // There are four in a row.
    for place in 0..<12 {
      let content: SnippetContent =
        place.isMultiple(of: 4) ? .bytes(NumberedPicture.file(place)) : .text("\(place) \(note)")
      try await store.save(SnippetDraft(content, createdAt: Self.start - Double(place)))
    }
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])

    try await window.untilPictures("the first is there") { $0.first?.number == 0 }
    try await window.press("ctrl+g")
    var tops: [Int] = []
    try await window.untilPictures("each row of tiles begins with its picture") { pictures in
      tops = pictures.map(\.lines.lowerBound)
      return pictures.map(\.number) == [0, 4, 8]
    }
    #expect(tops[1] - tops[0] == tops[2] - tops[1])
    try await close(window)
  }

  @Test func `on a screen with small pixels the thumbnails have more of them`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(
      SnippetDraft(.bytes(NumberedPicture.file(1, bandWidth: 200, height: 800)))
    )
    let window = try WindowRun(
      ["--store", TemporaryDirectory.file("store.sqlite").path],
      environment: ["GDK_SCALE": "2"]
    )
    let blobID = try #require(row.blobID)
    try await until("the thumbnail is kept", within: .seconds(120)) {
      try await store.derivative(of: blobID, by: .encodedThumbnail(640)) != nil
    }
    try await window.untilFocused("Snippets")
    try await close(window)
  }

  @Test func `thumbnails are made larger, and are so at the next start`() async throws {
    let (_, path) = try await store(40)
    func distance(_ pictures: [Screen.Found]) -> Int? {
      pictures.count < 4 ? nil : pictures[2].lines.lowerBound - pictures[1].lines.lowerBound
    }
    var window = try WindowRun(["--store", path])
    try await window.untilPictures("they are of medium size") { distance($0) == 76 }
    try await window.press("ctrl+plus")
    try await window.untilPictures("they are large") { distance($0) == 124 }
    try await close(window)

    window = try WindowRun(["--store", path])
    try await window.untilPictures("they are large again") { distance($0) == 124 }
    try await close(window)
  }

  @Test func `the note of an opened picture is below it, and can be copied`() async throws {
    let store = try TemporaryStore.open()
    let note = "Grandmother at the lake" + String(repeating: "\nA line of it.", count: 40)
    let row = try await store.save(
      SnippetDraft(.bytes(NumberedPicture.file(7, bandWidth: 240, height: 960)))
    )
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.untilPictures("the list is there") { $0.first?.number == 7 }
    try await window.press("Down", "Return")
    var whole = 0
    try await window.untilPictures("it is opened") { pictures in
      whole = pictures.first?.lines.count ?? 0
      return whole > 400
    }
    try await store.apply(SnippetEdit(note: note), to: row.id)
    try await window.untilPictures("the picture makes room for the note of others") { pictures in
      (pictures.first?.lines.count ?? whole) < whole - 40
    }
    try await until("the whole note is copied", within: .seconds(120)) {
      try await window.click(60, 640)
      try await window.press("ctrl+a", "ctrl+c")
      return try await window.clipboard(as: "UTF8_STRING") == Data(note.utf8)
    }
    try await store.apply(SnippetEdit(note: ""), to: row.id)
    try await window.untilPictures("without a note the picture has all room") { pictures in
      pictures.first?.lines.count == whole
    }
    try await close(window)
  }

  @Test func `a picture is made smaller and larger from what is on screen`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(
      SnippetDraft(.bytes(NumberedPicture.file(7, bandWidth: 240, height: 960)))
    )
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.untilPictures("the list is there") { $0.first?.number == 7 }
    try await window.press("Down", "Return")
    var fitted = 0
    try await window.untilPictures("it is opened") { pictures in
      fitted = pictures.first?.lines.count ?? 0
      return fitted > 400
    }
    func expect(_ what: String, lines expected: Double) async throws {
      try await window.untilPictures(what) { pictures in
        abs(Double(pictures.first?.lines.count ?? 0) - expected) < 4
      }
    }
    try await window.press("ctrl+minus")
    try await expect("it is smaller", lines: Double(fitted) * 0.8)
    try await window.press("ctrl+plus")
    try await expect("it is as before", lines: Double(fitted))

    // The wheel enlarges it about the pointer, here over the left bar, of 127 pixels.
    let place = (x: 100, y: 400)
    try await window.turnWheel(at: place.x, place.y, holding: "ctrl")
    try await until("the bar is wider, to both sides of the pointer", within: .seconds(120)) {
      let screen = try await window.screen()
      return screen.isRed(place.x, place.y) && screen.isRed(130, place.y)
        && !screen.isRed(160, place.y)
    }
    try await window.drag(from: (500, 400), to: (300, 400))
    try await until("it was dragged away", within: .seconds(120)) {
      try await !window.screen().isRed(place.x, place.y)
    }
    try await window.drag(from: (300, 400), to: (500, 400))
    try await until("it was dragged back", within: .seconds(120)) {
      try await window.screen().isRed(place.x, place.y)
    }
    try await close(window)
  }
}
#endif
