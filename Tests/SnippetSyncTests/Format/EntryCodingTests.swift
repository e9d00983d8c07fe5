import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

@Suite(.seeded)
struct EntryCodingTests {
  private let devices = [DeviceID(), DeviceID()]

  private var entry: Entry {
    let (one, two) = (Stamp(1_700_000_000_000, devices[0]), Stamp(1_700_000_000_001, devices[1]))
    return Entry(
      uuid: UUID(),
      content: ContentVersions(
        SyncedContent(
          kind: .voice,
          body: .blob(Data(repeating: 7, count: 32), encoding: nil),
          byteCount: 4_000_000_000,
          mediaType: "audio/flac",
          preview: "",
          facts: MediaFacts(
            duration: .milliseconds(1_234),
            sampleRate: 44_100,
            channelCount: 2,
            isIrregular: true
          ),
          title: "was \"this\"",
          file: "a/b.flac"
        ),
        one,
        replacing: [devices[1]: 5]
      ),
      title: Register(.title("slash / quote \" emoji 🍵"), two),
      note: NoteVersions(
        texts: [one: "a \"note\"\nof two lines", two: "another"],
        known: [devices[0]: 1_700_000_000_000, devices[1]: 1_700_000_000_009]
      ),
      pin: Register(.pinned, one),
      createdAt: Register(-5, one),
      modifiedAt: Register(6, two),
      tags: ["home": Register(.on("Home"), one), "old": Register(.off, two)],
      trash: Register(.since(77), two),
      trashedVersions: [devices[0]: 1_700_000_000_000, devices[1]: 9],
      trashedNotes: [devices[1]: 1_700_000_000_009],
      others: ["new": #"{"a":[1,null,"x"]}"#, "number": "7"]
    )
  }

  @Test func `an entry is read as it was written, with the keys of a later version`() throws {
    var coding = EntryCoding(devices: DeviceTable())
    var (deleted, several) = (entry, entry)
    deleted.captureDeletion()
    several.content.merge(ContentVersions(.text("a text"), Stamp(6, devices[1])))
    several.copied = CopiedVersion(uuid: UUID(), stamp: Stamp(6, devices[1]))

    for entry in [entry, deleted, several] {
      let line = coding.encode(entry)

      #expect(!line.contains(UInt8(ascii: "\n")))
      #expect(try EntryCoding(devices: coding.devices).decode(line) == entry)
    }
  }

  /// Reads a line of version 2, in which the first device has made a text at 20 and knows another edit.
  private func former(_ content: String, _ rest: String = "") throws -> Entry {
    let line = """
      {"u":"000102030405060708090a0b0c0d0e0f","title":["a",[9,1]],"pin":[0,[9,1]],"made":[9,[9,1]],\
      "mod":[9,[9,1]],"c":{"at":[20,1],"v":{"1":20,"2":30}\(content)},"trash":[null,[9,1]]\(rest)}
      """
    return try EntryCoding(devices: DeviceTable(devices)).decode(Data(line.utf8))
  }

  @Test func `a line of a former version has one version, or none`() throws {
    let body = #","kind":"text","n":1,"type":"text/plain","title":"t","body":"b","pages":7"#
    let stamp = Stamp(20, devices[0])
    let known = [devices[0]: Int64(20), devices[1]: 30]
    let living = try former(body)
    #expect(living.content.known == known)
    #expect(Array(living.content.versions.keys) == [stamp])
    #expect(living.content.shown?.body == .text("b"))
    #expect(living.content.shown?.others == ["pages": "7"])
    #expect(living.others.isEmpty)

    for (content, gone) in [("", 20), (body, 20), (body, 25)] {
      let deleted = try former(content, #","gone":[\#(gone),1]"#)
      #expect(deleted.isDeleted)
      #expect(deleted.content.known[devices[0]] == Int64(gone))
      #expect(deleted.others.isEmpty)
    }
    // An edit that the deletion did not know.
    #expect(try former(body, #","gone":[19,2]"#).content == living.content)
    #expect(throws: MalformedEntry.self) { try former(#","of":7"#) }
  }

  @Test func `a former version knew the version that it moved to the trash`() throws {
    let body = #","kind":"text","n":1,"type":"text/plain","title":"t","body":"b""#
    #expect(try former(body).trashedVersions.isEmpty)
    let trashed = try former(body, #","tseen":[20,1]"#)
    #expect(trashed.trashedVersions == trashed.content.known)
    let edited = try former(body, #","tseen":[19,2]"#)
    #expect(edited.trashedVersions == [devices[1]: 19])
    #expect(throws: MalformedEntry.self) { try former(body, #","tseen":7"#) }
  }

  @Test func `a version that keeps what was known at the trash as it came does not change it`()
    throws
  {
    let entry = entry
    var coding = EntryCoding(devices: DeviceTable(devices))
    let object = try JSONSerialization.jsonObject(with: coding.encode(entry)) as? [String: Any]
    let known = try JSONSerialization.data(withJSONObject: try #require(object?["nseen"]))
    var (older, damaged) = (entry, entry)
    (older.trashedNotes, damaged.trashedNotes) = ([:], [:])
    older.others["nseen"] = String(decoding: known, as: UTF8.self)
    damaged.others["nseen"] = #"{"9":5}"#

    // It has met the devices in another order.
    var other = EntryCoding(devices: DeviceTable([devices[1], devices[0]]))
    let (kept, wrong) = (other.encode(older), other.encode(damaged))
    #expect(try other.decode(kept).trashedNotes == entry.trashedNotes)
    #expect(try other.decode(wrong).trashedNotes.isEmpty)
  }

  @Test func `a text of any characters is read as it was written, and by other readers`() throws {
    let texts = (0..<0x80).map { "a\(Character(Unicode.Scalar(UInt8($0))))b" }
    for text in texts + ["\"\\\"", "\u{2028}\u{FEFF}\u{10FFFF}", "e\u{301}🍵", "\u{1}\"\n\\", ""] {
      var coding = EntryCoding(devices: DeviceTable())
      var entry = entry
      entry.title.value = .title(text)
      entry.tags[text] = Register(.on(text), entry.title.stamp)
      let line = coding.encode(entry)

      #expect(try coding.decode(line) == entry)
      let object = try JSONSerialization.jsonObject(with: line) as? [String: Any]
      #expect((object?["title"] as? [Any])?.first as? String == text)
      #expect(!line.contains { $0 < 0x20 })
    }
  }

  @Test(arguments: [
    "", "[]", "{}", "7", #"{"u":"00"}"#, #"{"u":"000102030405060708090a0b0c0d0e0f"}"#,
  ])
  func `a line that is no entry is refused with a reason`(line: String) {
    #expect(throws: MalformedEntry.self) {
      try EntryCoding(devices: DeviceTable()).decode(Data(line.utf8))
    }
  }

  @Test func `whatever bytes come, an entry is read or refused`() throws {
    var random = SeededGenerator()
    var coding = EntryCoding(devices: DeviceTable())
    let line = coding.encode(entry)
    for _ in 0..<(LongTests.isOn ? 100_000 : 2_000) {
      var bytes = line
      for _ in 0..<(1 + random.below(4)) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.element(of: Array("09-{}[]\",:eE.nu".utf8)), at: place)
        }
      }
      if let entry = try? coding.decode(bytes) { _ = coding.encode(entry) }
      if let object = JSONLineReader.object(of: bytes) {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try sorted(object) == sorted(JSONSerialization.jsonObject(with: bytes)), "\(text)")
      }
    }
  }

  /// Writes an object of JSON in the one form that does not depend on who has read it.
  private func sorted(_ object: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  @Test func `a line is read without the help of Foundation, unless it has what is rare`() throws {
    var coding = EntryCoding(devices: DeviceTable())
    #expect(JSONLineReader.object(of: coding.encode(entry)) != nil)
    let read = [#"{"a":[0,-5,999999999999999,null,"\"\\\n\r\t\/🍵"],"b":{},"c":[]}"#, "{}"]
    for line in read {
      let object = try #require(JSONLineReader.object(of: Data(line.utf8)))
      let same = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(try sorted(object) == sorted(same), "\(line)")
    }
    let deep = #"{"a":\#(String(repeating: "[", count: 20))\#(String(repeating: "]", count: 20))}"#
    let left = [
      "", "{", "{} ", "[]", "7", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":[1,]}"#, #"{"a":1.5}"#,
      #"{"a":1e2}"#, #"{"a":01}"#, #"{"a":-0}"#, #"{"a":-}"#, #"{"a":1000000000000000}"#,
      #"{"a":true}"#, #"{"a":nul}"#, #"{"a":"\u0041"}"#, #"{"a":"\b"}"#, #"{"a":"b}"#, #"{"a":"\"#,
      "{\"a\":\"\u{1}\"}", #"{"a":1,"a":2}"#, #"{"a": 1}"#,
      deep,
    ]
    for line in left { #expect(JSONLineReader.object(of: Data(line.utf8)) == nil, "\(line)") }
    // A text that is not UTF-8.
    let torn: [UInt8] = [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]
    #expect(JSONLineReader.object(of: Data(torn)) == nil)
  }

  @Test func `the identity of an entry is read from the line, wherever it stands`() {
    let entry = entry
    var coding = EntryCoding(devices: DeviceTable())
    let line = String(decoding: coding.encode(entry), as: UTF8.self)
    let digits = entry.uuid.bytes.hexadecimal
    let start = "{\"u\":\"\(digits)\""
    #expect(line.hasPrefix(start))

    for same in [line, line.replacing(start, with: "{\"new\":1,\"u\" : \"\(digits)\"")] {
      #expect(EntryCoding.identity(of: Data(same.utf8)) == entry.uuid)
    }
    for other in [
      "", "{}", "{\"u\":\"\(digits)\"", "[\"u\",\"\(digits)\"]", " \(line)", "\(line) ",
      line.replacing(start, with: "{\"u\":\"\(digits)0\""), "{\"u\":\"\(digits.dropLast())\"}",
      line.replacing("}", with: "\0}"),
    ] {
      #expect(EntryCoding.identity(of: Data(other.utf8)) == nil, "\(other)")
    }
  }

  @Test(arguments: ["-1", "9007199254740992", "9223372036854775807", "1e300"])
  func `a size that no content has is refused`(size: String) throws {
    var coding = EntryCoding(devices: DeviceTable())
    let line = String(decoding: coding.encode(entry), as: UTF8.self)
    let byteCount = try #require(entry.content.shown).byteCount
    let wrong = line.replacing("\"n\":\(byteCount),", with: "\"n\":\(size),")
    #expect(wrong != line)
    #expect(throws: MalformedEntry.self) { try coding.decode(Data(wrong.utf8)) }
  }

  @Test func `a stamp of an unknown device or outside of all years is refused`() throws {
    var coding = EntryCoding(devices: DeviceTable())
    let text = String(decoding: coding.encode(entry), as: UTF8.self)

    for (one, other) in [
      ("[1700000000000,2]", "[1700000000000,9]"), ("[1700000000000,2]", "[9e300,1]"),
      ("[1700000000000,2]", "[1e18,1]"), ("[1700000000000,2]", "[null,1]"),
    ] {
      #expect(text.contains(one))
      #expect(throws: MalformedEntry.self) {
        try coding.decode(Data(text.replacing(one, with: other).utf8))
      }
    }
  }
}
