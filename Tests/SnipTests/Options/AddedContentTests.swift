import Testing

@testable import snip

@Suite(.timeLimit(.minutes(30)))
struct AddedContentTests {
  /// What is there in these tests.
  private static func kind(_ path: String) -> AddedContent.PathKind {
    switch path {
    case "photo.jpg", "/tmp/a b", "todo": .file
    case "notes", "notes/": .folder
    default: .nothing
    }
  }

  @Test(
    arguments: [
      (["Milk, eggs"], [.text("Milk, eggs")]), (["buy", "milk"], [.text("buy milk")]),
      (["photo.jpg"], [.file("photo.jpg")]), (["todo"], [.file("todo")]),
      (["photo.jpg", "/tmp/a b", "-"], [.file("photo.jpg"), .file("/tmp/a b"), .input]),
      (["-"], [.input]),
      (["https://example.org/a.png"], [.text("https://example.org/a.png")]),
      (["see", "lost.png", "please"], [.text("see lost.png please")]),
      (["24/12"], [.text("24/12")]), (["Hello."], [.text("Hello.")]), (["v1.2"], [.text("v1.2")]),
      ([".txt"], [.text(".txt")]), (["a/b c"], [.text("a/b c")]),
      (["some words", "more"], [.text("some words more")]),
    ] as [([String], [AddedContent])]
  )
  func `words are told apart by what is there`(
    words: [String],
    contents: [AddedContent]
  ) throws {
    #expect(try AddedContent.told(from: words, by: Self.kind) == contents)
  }

  @Test(
    arguments: [
      (["lost.png"], .noSuchFile("lost.png")), (["lost.PNG"], .noSuchFile("lost.PNG")),
      (["a/b"], .noSuchFile("a/b")), (["~/x"], .noSuchFile("~/x")),
      (["photo.jpg", "lost.png"], .noSuchFile("lost.png")),
      (["lost.png", "more.txt"], .noSuchFile("lost.png")),
      (["some words", "lost.png"], .noSuchFile("lost.png")),
      (["notes"], .folder("notes")), (["notes", "x"], .mixed("notes", ["notes", "x"])),
      (["photo.jpg", "milk"], .mixed("photo.jpg", ["photo.jpg", "milk"])),
      (["-", "milk"], .mixed("-", ["-", "milk"])),
      ([""], .emptyText), ([" ", "\n"], .emptyText),
    ] as [([String], AddedContentError)]
  )
  func `what cannot be told is an error with a way out`(
    words: [String],
    error: AddedContentError
  ) throws {
    #expect(throws: error) { try AddedContent.told(from: words, by: Self.kind) }
    #expect(error.hint?.contains("snip add --text ") == true)
  }

  // The arguments of a process come as text, with this sign for what is none.
  @Test func `a name that is not UTF-8 is told how to become so`() {
    #expect(AddedContentError.noSuchFile("caf\u{FFFD}.txt").hint?.contains("convmv") == true)
    #expect(AddedContentError.noSuchFile("café.txt").hint?.contains("convmv") == false)
  }
}
