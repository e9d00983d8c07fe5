import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

struct ExportedNameTests {
  private func name(
    _ title: String,
    kind: SnippetKind = .image,
    mediaType: String = "image/png",
    preview: String = ""
  ) -> String {
    ExportedName(
      of: SnippetRow(
        id: SnippetID(rawValue: 7),
        uuid: UUID(),
        kind: kind,
        title: title,
        preview: preview,
        createdAt: Date(),
        modifiedAt: Date(),
        byteCount: 1,
        mediaType: mediaType
      )
    ).path
  }

  @Test(arguments: ["a//é", "https://é", "https://한국", "\u{20E3}\u{1F1E6}//\u{1100}", "a//é.png"])
  func `a title with two slashes ends nothing`(title: String) {
    for kind in SnippetKind.allCases {
      // The first of a title may combine with the space before it.
      #expect(name(title, kind: kind).unicodeScalars.contains { $0 == "7" })
    }
  }

  @Test func `a file is named for the number and the title, in the folder of its kind`() {
    #expect(name("Lake at dawn") == "images/7 Lake at dawn.png")
    #expect(name("Memo", kind: .voice, mediaType: "audio/mp4") == "recordings/7 Memo.m4a")
    #expect(name("", kind: .text, mediaType: "text/plain", preview: "Milk") == "texts/7 Milk.txt")
    #expect(name("", kind: .text, mediaType: "text/markdown") == "texts/7.txt")
    #expect(name("Raw", mediaType: "image/x-own") == "images/7 Raw.bin")
    #expect(name("ミルクと卵 👩‍👩‍👧") == "images/7 ミルクと卵 👩‍👩‍👧.png")
  }

  @Test(
    arguments: [
      ("IMG_1.PNG", SnippetKind.image, "image/png", "images/7 IMG_1.png"),
      ("photo.jpeg", .image, "image/jpeg", "images/7 photo.jpg"),
      ("photo.of.soup", .image, "image/png", "images/7 photo.of.soup.png"),
      ("memo.m4a", .voice, "audio/mp4", "recordings/7 memo.m4a"),
      ("notes.txt", .text, "text/plain", "texts/7 notes.txt"),
      (".png", .image, "image/png", "images/7 .png.png"),
    ]
  )
  func `a title with the extension gets no second one`(
    title: String,
    kind: SnippetKind,
    mediaType: String,
    path: String
  ) {
    #expect(name(title, kind: kind, mediaType: mediaType) == path)
  }

  @Test(
    arguments: [
      ("../../etc/passwd", ".. .. etc passwd"), ("a/b\\c:d", "a b c d"), ("..", nil), (" . ", nil),
      ("line\nfeed\tand\u{0}more", "line feed and more"), ("\u{202E}gnp.exe", "gnp.exe"),
      ("\u{1B}[2Jgone", "[2Jgone"), ("ends in dots...", "ends in dots"), ("a\u{2028}b", "a b"),
      ("\u{E000}\u{FFFF}", nil), ("<?\"*|>", nil), ("e\u{301}t\u{E9}", "été"), ("~", "~"),
    ] as [(String, String?)]
  )
  func `no title is a path, hides a file or garbles a screen`(title: String, expected: String?) {
    #expect(name(title) == (expected.map { "images/7 \($0).png" } ?? "images/7.png"))
  }

  @Test(arguments: ["x", "ü", "漢", "👩‍👩‍👧", "a\u{301}\u{302}\u{303}\u{304}\u{305}"])
  func `a long title is cut between characters to what a file system takes`(character: String) {
    let path = name(String(repeating: character, count: 999))

    #expect(path.utf8.count < 200)
    #expect(path.hasPrefix("images/7 \(character.precomposedStringWithCanonicalMapping)"))
    #expect(path.hasSuffix("\(character.precomposedStringWithCanonicalMapping).png"))
  }
}
