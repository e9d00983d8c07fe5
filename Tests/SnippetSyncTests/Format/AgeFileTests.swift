import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetSync

struct AgeFileTests {
  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
  func `sealed bytes come back`(count: Int) throws {
    let bytes = FormatFixture.bytes(count)
    let identity = AgeIdentity()

    let file = AgeFile.seal(bytes, to: identity.recipient)

    #expect(try AgeFile.open(file, with: identity, name: "it") == bytes)
    // A header, a nonce, and a tag for each chunk.
    #expect(file.count == count + 184 + 16 * max(1, (count + 65_535) / 65_536))
  }

  @Test func `a part of other bytes is sealed as bytes of its own`() throws {
    let bytes = FormatFixture.bytes(100_000)

    let file = AgeFile.seal(bytes[10_000..<90_000], to: try FormatFixture.identity.recipient)

    let padded = Data(count: 7) + file
    #expect(try open(padded[7...]) == Data(bytes[10_000..<90_000]))
  }

  @Test func `no two files are alike`() {
    let recipient = AgeIdentity().recipient

    let files = (0..<2).map { _ in AgeFile.seal(Data("Milk".utf8), to: recipient) }

    #expect(files[0] != files[1])
  }

  @Test func `a file of the program age is opened`() throws {
    #expect(try open(FormatFixture.milk) == Data("Milk\n".utf8))
  }

  @Test func `a file for another key says so`() throws {
    let file = try FormatFixture.milk

    let error = syncError { try AgeFile.open(file, with: AgeIdentity(), name: "it") }

    #expect(error?.code == .wrongKey)
    #expect(
      error?.description
        == "Could not read it: it is sealed for another key. Use the key that was made with this "
        + "repository."
    )
  }

  @Test func `a file for a passphrase says so`() {
    let letters = HandMadeAge.letters([UInt8](repeating: 1, count: 16))
    let body = HandMadeAge.letters([UInt8](repeating: 1, count: 32))
    let file = HandMadeAge(stanzas: ["-> scrypt \(letters) 18\n\(body)\n"]).file

    let error = syncError { try open(file) }

    #expect(error?.code == .wrongKey)
    #expect(error?.reason == "it is sealed with a passphrase")
  }

  @Test(arguments: try goodFiles.sorted { $0.key < $1.key })
  func `what the format allows is opened`(name: String, file: HandMadeAge) throws {
    #expect(try open(file.file) == Data(file.chunks.joined()))
  }

  @Test(arguments: try brokenFiles.sorted { $0.key < $1.key })
  func `what breaks a rule of the format is refused`(name: String, file: HandMadeAge) throws {
    let error = try #require(syncError { try open(file.file) })

    #expect(error.code == .damaged)
    #expect(error.operation == "read it")
  }

  @Test func `every changed bit, every missing end and every added byte is noticed`() throws {
    let file = try FormatFixture.milk
    for place in file.indices {
      for bit in 0..<8 {
        var other = file
        other[place] ^= 1 << UInt8(bit)
        #expect(syncError { try open(other) } != nil)
      }
      #expect(syncError { try open(file.prefix(place)) } != nil)
    }
    for byte in UInt8.min...UInt8.max {
      #expect(syncError { try open(file + [byte]) }?.code == .damaged)
    }
  }

  @Test(.seeded) func `no bytes stop the program`() throws {
    let milk = try FormatFixture.milk
    var generator = SeededGenerator()
    let start = Data("age-encryption.org/v1\n-> X25519 ".utf8)
    for _ in 0..<2_000 {
      var file = generator.chance(0.5) ? milk : start
      for _ in 0..<generator.below(6) {
        let place = file.startIndex + generator.below(file.count)
        let length = generator.below(file.endIndex - place)
        let bytes = generator.element(of: [" ", "\n", "--- ", "-> ", "AAAA", "=", ""])
        file.replaceSubrange(place..<place + length, with: Data(bytes.utf8))
        if file.isEmpty { file = start }
      }
      if file != milk { #expect(syncError { try open(file) } != nil) }
    }
  }

  private func open(_ file: Data) throws -> Data {
    try AgeFile.open(file, with: FormatFixture.identity, name: "it")
  }

  private static let full = [UInt8](repeating: 3, count: 64 << 10)

  private static var goodFiles: [String: HandMadeAge] {
    get throws {
      let own = try HandMadeAge.own()
      let line = String(repeating: "A", count: 64)
      return [
        "one recipient": HandMadeAge(stanzas: [own]),
        "nothing": HandMadeAge(stanzas: [own], chunks: [[]]),
        "a full chunk": HandMadeAge(stanzas: [own], chunks: [full]),
        "two full chunks": HandMadeAge(stanzas: [own], chunks: [full, full]),
        "unknown recipients": HandMadeAge(
          stanzas: [
            "-> ssh-ed25519 xyz \(line)\n\(line)\nAAAA\n", own, "-> !~ #\n\n",
            "-> x25519 small\n\(line)\n\n",
          ]
        ),
      ]
    }
  }

  private static var brokenFiles: [String: HandMadeAge] {
    get throws {
      let own = try HandMadeAge.own()
      let line = String(repeating: "A", count: 64)
      let lowOrder = HandMadeAge.letters([UInt8](repeating: 0, count: 32))
      let body = HandMadeAge.letters([UInt8](repeating: 1, count: 32))
      let scrypt = "-> scrypt AAAAAAAAAAAAAAAAAAAAAA 18\n\(body)\n"
      func stanza(_ text: String) -> HandMadeAge { HandMadeAge(stanzas: [text, own]) }
      func chunks(_ chunks: [[UInt8]], last: Int? = nil) -> HandMadeAge {
        HandMadeAge(stanzas: [own], chunks: chunks, lastChunk: last)
      }
      return [
        "version 2": HandMadeAge(version: "age-encryption.org/v2", stanzas: [own]),
        "a version with a space": HandMadeAge(version: "age-encryption.org/v1 ", stanzas: [own]),
        "a version with a carriage return": HandMadeAge(
          version: "age-encryption.org/v1\r",
          stanzas: [own]
        ),
        "no recipient": HandMadeAge(stanzas: []),
        "a passphrase beside": HandMadeAge(stanzas: [own, scrypt]),
        "two passphrases": HandMadeAge(stanzas: [scrypt, scrypt]),
        "a point of low order": stanza("-> X25519 \(lowOrder)\n\(body)\n"),
        "a third word": HandMadeAge(stanzas: [try HandMadeAge.own(words: " more")]),
        "a space at the end": HandMadeAge(stanzas: [try HandMadeAge.own(words: " ")]),
        "a second space": HandMadeAge(stanzas: [try HandMadeAge.own { " " + $0 }]),
        "padding": HandMadeAge(stanzas: [try HandMadeAge.own { $0 + "=" }]),
        // The last of 43 letters has two bits that mean nothing.
        "bits that mean nothing": HandMadeAge(
          stanzas: [try HandMadeAge.own { $0.dropLast() + nextLetter(after: $0.last) }]
        ),
        "a long file key": HandMadeAge(
          stanzas: [try HandMadeAge.own(fileKey: HandMadeAge.fileKey + [7])]
        ),
        "a short share": stanza("-> X25519 AAAA\n\(body)\n"),
        "a recipient without words": stanza("-> \n\n"),
        "an arrow alone": stanza("->\n\n"),
        "no arrow": stanza("X25519 a\n\n"),
        "a letter beyond ASCII": stanza("-> gréase\n\n"),
        "a tab in a word": stanza("-> gre\tase\n\n"),
        "a body without end": stanza("-> grease\n\(line)\n"),
        "a line of 68 letters": stanza("-> grease\n\(line)AAAA\n\n"),
        "a body with padding": stanza("-> grease\nAAA=\n"),
        "a body with bits that mean nothing": stanza("-> grease\nAAB\n"),
        "a body of one letter": stanza("-> grease\nA\n"),
        "no space before the code": HandMadeAge(stanzas: [own], separator: "---"),
        "two spaces before the code": HandMadeAge(stanzas: [own], separator: "---  "),
        "a space behind the code": HandMadeAge(stanzas: [own], behindCode: " \n"),
        "padding behind the code": HandMadeAge(stanzas: [own], behindCode: "=\n"),
        "no line end behind the code": HandMadeAge(stanzas: [own], behindCode: ""),
        "no chunk": chunks([]),
        "an empty last chunk": chunks([full, []]),
        "a short first chunk": chunks([[1], full]),
        "a chunk behind the last": chunks([full, [1]], last: 0),
        "no last chunk": chunks([full, full], last: 2),
        "two last chunks of one": chunks([[1], [2]]),
      ]
    }
  }

  private static func nextLetter(after letter: Character?) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return letters.firstIndex { $0 == letter }.map { String(letters[$0 + 1]) } ?? ""
  }
}
