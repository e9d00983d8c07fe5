#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// The window on a display, with keys, a pointer and pictures that say which snippet they are of.
@Suite(.serialized, .seeded, .temporaryDirectory, .timeLimit(.minutes(30)))
struct WindowTests {
  static let start = Date(timeIntervalSince1970: 1_700_000_000)

  /// A store of numbered pictures, the highest the newest.
  func store(
    _ count: Int,
    isDisposable: Bool = true
  ) async throws -> (store: SnippetStore, path: String) {
    let store = try TemporaryStore.open { $0.isDisposable = isDisposable }
    try await store.save(
      contentsOf: (0..<count).lazy.map { number in
        SnippetDraft(
          .bytes(NumberedPicture.file(number)),
          title: "Picture \(number)",
          createdAt: Self.start + Double(number)
        )
      }
    )
    let file = TemporaryDirectory.current.url.appendingPathComponent("store.sqlite")
    return (store, file.path)
  }

  func isRun(_ pictures: [Screen.Found], from first: Int) -> Bool {
    pictures.count >= 7 && pictures.map(\.number) == (0..<pictures.count).map { first - $0 }
  }

  func close(_ window: WindowRun) async throws {
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
    #expect(window.complaints == "")
    let report = try window.readReport()
    #expect(report.viewsCreated <= report.viewsBound)
    #expect(report.wrongDeliveries == 0)
  }

  @Test func `100,000 rows are scrolled to their end and back, and no picture is wrong`()
    async throws
  {
    let (_, path) = try await store(100_000)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 99_999) }
    try await window.untilFocused("Snippets")

    try await window.press("End")
    try await window.untilPictures("the last screen is there") { pictures in
      pictures.last?.number == 0 && isRun(pictures, from: pictures.count - 1)
    }
    try await window.press("Prior", "Prior", "Prior")
    try await window.untilPictures("three pages up there are the rows before") { pictures in
      guard let first = pictures.first else { return false }
      return first.number > 20 && isRun(pictures, from: first.number)
    }
    try await window.press("Home")
    try await window.untilPictures("the first screen is there again") { isRun($0, from: 99_999) }
    try await close(window)
  }

  @Test func `pages that are turned fast take many new views, which is no fault`()
    async throws
  {
    let (_, path) = try await store(1_000)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 999) }

    for (start, page) in [("End", "Prior"), ("Home", "Next")] {
      try await window.press(start)
      for _ in 0..<8 { try await window.press(page) }
    }
    try await window.untilPictures("a page is there") { pictures in
      pictures.first.map { isRun(pictures, from: $0.number) } == true
    }
    try await close(window)
  }

  @Test func `others insert and delete while the list is on screen`() async throws {
    let (store, path) = try await store(300)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 299) }

    try await store.save(SnippetDraft(.bytes(NumberedPicture.file(300)), title: "New"))
    try await window.untilPictures("the new row is at the top") { isRun($0, from: 300) }

    let list = store.list()
    try await store.delete([try list.rows(in: 1..<2)[0].id])
    try await window.untilPictures("the deleted row is gone") { pictures in
      pictures.count >= 7 && pictures.prefix(4).map(\.number) == [300, 298, 297, 296]
    }
    try await close(window)
  }

  @Test func `where all rows on screen and very many others go, those before them are shown`()
    async throws
  {
    let (store, path) = try await store(3_000)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 2_999) }
    try await window.press("End")
    try await window.untilPictures("the last screen is there") { $0.last?.number == 0 }

    let list = store.list()
    try await store.delete(try list.rows(in: 480..<3_000).map(\.id))

    try await window.untilPictures("the rows before are there") { pictures in
      pictures.last?.number == 2_520 && isRun(pictures, from: 2_519 + pictures.count)
    }
    try await close(window)
  }

  @Test(arguments: [true, false])
  func `after a storm of changes by others every row is right`(_ isAtTop: Bool) async throws {
    var random = SeededGenerator()
    let (store, path) = try await store(2_000)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 1_999) }
    if !isAtTop { try await window.press("End", "Prior", "Prior", "Prior", "Prior") }

    let list = store.list()
    var number = 2_000
    for _ in 0..<60 {
      try await store.save(
        contentsOf: (0..<1 + random.below(8)).map { _ in
          number += 1
          let age = random.chance(0.5) ? 0 : Double(random.below(number))
          return SnippetDraft(
            .bytes(NumberedPicture.file(number)),
            title: "Picture \(number)",
            createdAt: Self.start + Double(number) - age
          )
        }
      )
      let count = try list.count
      let ids = try (0..<random.below(8)).compactMap { _ in
        try list.row(at: random.below(count))?.id
      }
      try await store.delete(Array(Set(ids)))
    }

    let numbers = try list.rows(in: 0..<list.count).map { Int($0.title.dropFirst(8)) ?? -1 }
    try await window.untilPictures("the screen shows a part of the list") { pictures in
      let shown = pictures.map(\.number)
      guard shown.count >= 7, let first = shown.first, let place = numbers.firstIndex(of: first)
      else { return false }
      return shown == Array(numbers.dropFirst(place).prefix(shown.count)) && (place == 0) == isAtTop
    }
    try await close(window)
  }

  @Test func `a search as it is typed, an opened picture, and back where it was`() async throws {
    let (_, path) = try await store(300)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 299) }

    try await window.press("ctrl+f")
    try await window.type("Picture 17")
    try await window.untilPictures("what was searched for is found") { pictures in
      pictures.prefix(7).map(\.number) == [217, 179, 178, 177, 176, 175, 174]
    }
    try await window.press("Escape")
    try await window.untilPictures("all rows are there again") { isRun($0, from: 299) }

    try await window.press("Home", "Down", "Down", "Return")
    try await window.untilPictures("the third is opened") { $0.map(\.number) == [297] }
    try await window.press("ctrl+Page_Down")
    try await window.untilPictures("the next is opened") { $0.map(\.number) == [296] }
    try await window.press("Escape")
    try await window.untilPictures("the list is where it was") { isRun($0, from: 299) }
    try await close(window)
  }

  @Test func `a row that is dragged into the window of another library is imported there`()
    async throws
  {
    let (_, path) = try await store(20)
    let display = try VirtualDisplay((1_800, 720))
    let window = try WindowRun(["--store", path], on: display)
    try await window.untilPictures("the first screen is there") { isRun($0, from: 19) }
    try await window.move(to: 900, 0)
    let folder = TemporaryDirectory.file("other")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let other = try TemporaryStore.open("other.sqlite")
    let otherPath = TemporaryDirectory.file("other.sqlite").path
    let target = try WindowRun(["--store", otherPath], in: folder, on: display)
    let picture = try await window.screen().pictures()[2]

    try await window.drag(from: (1_100, picture.lines.lowerBound), to: (450, 300))

    let list = other.list()
    try await until("it is imported", within: .seconds(120)) { try list.count == 1 }
    let row = try #require(try list.row(at: 0))
    #expect(try await other.content(of: row.id, in: 0..<99_999) == NumberedPicture.file(17))
    // The keys go to the window below the pointer.
    try await close(target)
    try await window.click(1_300, 710)
    try await close(window)
  }

  @Test func `a row is moved to the trash, and brought back by an undo`() async throws {
    let (store, path) = try await store(40)
    let window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 39) }

    try await window.press("Home", "Down", "ctrl+Delete")
    try await window.untilPictures("the row is gone") { pictures in
      pictures.prefix(3).map(\.number) == [39, 37, 36]
    }
    #expect(try store.list(.trash).rows(in: 0..<2).map(\.title) == ["Picture 38"])

    try await window.press("ctrl+alt+z")
    try await window.untilPictures("it is back") { isRun($0, from: 39) }
    #expect(try store.list(.trash).count == 0)
    try await close(window)
  }

  @Test func `a text is edited where it is opened, and an undo takes it back`() async throws {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("Milk\nEggs\n"), title: "Shopping")).id
    let file = TemporaryDirectory.current.url.appendingPathComponent("store.sqlite")
    let window = try WindowRun(["--store", file.path])
    try await window.openFirstText(id, of: store)
    try await window.type("Bread, ")
    try await until("it is saved", within: .seconds(120)) {
      try await store.text(of: id).hasSuffix("!Bread, Milk\nEggs\n")
    }

    try await window.press("Escape")
    try await until("the text is as before", within: .seconds(120)) {
      // A pause in the typing makes two commands of it.
      try await window.press("ctrl+alt+z")
      return try await store.text(of: id) == "Milk\nEggs\n"
    }
    try await close(window)
  }

  enum Ending: CaseIterable {
    case keys, signal
  }

  @Test(arguments: Ending.allCases)
  func `what is typed right before the window is closed is saved, and a title too`(
    ending: Ending
  ) async throws {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "Shopping")).id
    let window = try WindowRun(["--store", TemporaryDirectory.file("store.sqlite").path])
    try await window.openFirstText(id, of: store)

    try await window.press("ctrl+Home")
    try await window.type("Bread, ")
    // The title is above the text.
    try await window.click(300, 72)
    try await window.press("End")
    try await window.type(" list")
    switch ending {
    case .keys: try await window.press("ctrl+q")
    case .signal:
      // Keys that the program has not read are those of no program.
      try await until("the keys are read", within: .seconds(120)) {
        try await store.text(of: id).hasPrefix("Bread, ")
      }
      window.send(SIGTERM)
    }
    #expect(try await window.end() == 0)
    #expect(try await store.text(of: id).hasPrefix("Bread, !"))
    #expect(try store.row(id)?.title == "Shopping list")
  }

  @Test func `a text that others delete or change meanwhile goes into no other, and is kept`()
    async throws
  {
    let store = try TemporaryStore.open()
    let next = try await store.save(SnippetDraft(.text("Next"), createdAt: Self.start)).id
    let id = try await store.save(SnippetDraft(.text("Milk"))).id
    let file = TemporaryDirectory.file("store.sqlite")
    let arguments = ["--store", file.path]
    var window = try WindowRun(arguments)
    try await window.openFirstText(id, of: store)

    try await window.type("Bread, ")
    try await store.delete([id])
    try await window.type("eggs, ")
    try await until("the text is kept", within: .seconds(120)) {
      try WindowRun.keptTexts(beside: file).joined().contains("eggs, ")
    }
    #expect(try await store.text(of: next) == "Next")
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
    #expect(try await store.text(of: next) == "Next")

    // The next start goes on with it.
    window = try WindowRun(arguments)
    try await until("it is a text of its own", within: .seconds(120)) {
      // The two buttons of the banner stand at the same place.
      try await window.click(820, 76)
      return try store.list().count == 2
    }
    let row = try #require(try store.list().row(at: 0))
    #expect(try await store.text(of: row.id).contains("eggs, "))
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
    #expect(try WindowRun.keptTexts(beside: file) == [])
  }

  @Test func `what is pasted is imported: a folder but for what cannot be kept, and a text`()
    async throws
  {
    let (store, path) = try await store(0)
    let folder = TemporaryDirectory.file("pasted")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<30 {
      try NumberedPicture.file(number).write(to: folder.appending(path: "\(number).png"))
    }
    try Data([0x00, 0xFF, 0x80]).write(to: folder.appending(path: "noise.bin"))
    let window = try WindowRun(["--store", path])
    try window.copy(folder.absoluteString + "\n", as: "text/uri-list")
    let list = store.list()

    // The first keys may come before the window does.
    try await until("the pictures are imported", within: .seconds(120)) {
      try await window.press("ctrl+shift+v")
      return try list.count == 30
    }
    try await window.untilPictures("they are on screen") { $0.count >= 7 }
    try window.copy("Milk, eggs", as: "UTF8_STRING")
    try await until("the text is imported", within: .seconds(120)) {
      try await window.press("ctrl+shift+v")
      return try list.count > 30
    }
    #expect(try list.row(at: 0)?.title == "Milk, eggs")
    try await close(window)
  }

  @Test func `the gallery shows the same pictures, and is there again at the next start`()
    async throws
  {
    let (_, path) = try await store(60)
    var window = try WindowRun(["--store", path])
    try await window.untilPictures("the first screen is there") { isRun($0, from: 59) }
    try await window.press("ctrl+g")
    try await window.untilPictures("the gallery is there") { pictures in
      pictures.first?.number == 59 && pictures.count >= 2 && pictures[1].number < 58
    }
    try await close(window)

    window = try WindowRun(["--store", path])
    try await window.untilPictures("the gallery is there again") { pictures in
      pictures.first?.number == 59 && pictures.count >= 2 && pictures[1].number < 58
    }
    try await close(window)
  }
}
#endif
