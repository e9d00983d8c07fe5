import Foundation
import SnippetStorage
import Testing

/// The encoded form of values is kept by apps, so it is written out here by hand.
struct CodableTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test func `identities are plain numbers`() throws {
    try expect(SnippetID(rawValue: 7), as: "7")
    try expect(BlobID(rawValue: -1), as: "-1")
    try expect(CaptureID(rawValue: .max), as: "9223372036854775807")
    try expect(ChangeNumber(rawValue: 0), as: "0")
  }

  @Test func `kinds, types and orders are words`() throws {
    for kind in SnippetKind.allCases { try expect(kind, as: "\"\(kind.name)\"") }
    for type in ContentType.allCases {
      try expect(type, as: "\"\(type.mediaType.replacing("/", with: "\\/"))\"")
    }
    try expect(SnippetOrder.newestFirst, as: #"{"isDescending":true,"key":"created"}"#)
    try expect(SnippetOrder.byTitle, as: #"{"isDescending":false,"key":"title"}"#)
    #expect(try decode(SnippetOrder.self, #"{"key":"modified"}"#) == SnippetOrder(by: .modified))
  }

  @Test func `a filter has only the conditions that are set`() throws {
    try expect(SnippetFilter.all, as: "{}")
    try expect(SnippetFilter.trash, as: #"{"isInTrash":true}"#)
    let filter = SnippetFilter(
      kinds: [.voice, .text],
      tags: ["b", "a"],
      isPinned: false,
      createdAt: Self.date..<Self.date + 1
    )
    try expect(
      filter,
      as: """
        {"createdBefore":800000001,"createdFrom":800000000,"isPinned":false,\
        "kinds":["text","voice"],"tags":["a","b"]}
        """
    )
  }

  @Test func `facts are numbers`() throws {
    try expect(MediaFacts(), as: "{}")
    try expect(
      MediaFacts(
        pixelWidth: 3,
        pixelHeight: 4,
        duration: .milliseconds(1500),
        sampleRate: 44_100,
        channelCount: 2
      ),
      as: """
        {"channelCount":2,"milliseconds":1500,"pixelHeight":4,"pixelWidth":3,"sampleRate":44100}
        """
    )
  }

  @Test func `a duration beyond all measure is the longest that there is`() throws {
    let facts = MediaFacts(duration: .seconds(Int64.max))
    let json = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
    #expect(json == #"{"milliseconds":9223372036854775807}"#)
  }

  @Test func `a row has every property under its name`() throws {
    let row = SnippetRow(
      id: SnippetID(rawValue: 7),
      uuid: try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")),
      kind: .image,
      title: "Lake",
      createdAt: Self.date,
      modifiedAt: Self.date + 1,
      isPinned: true,
      tags: ["a"],
      byteCount: 9,
      mediaType: "image/png",
      facts: MediaFacts(pixelWidth: 3, pixelHeight: 4),
      revision: 2,
      blobID: BlobID(rawValue: 5),
      deletedAt: Self.date + 2
    )
    try expect(
      row,
      as: #"""
        {"blobID":5,"byteCount":9,"createdAt":800000000,"deletedAt":800000002,\#
        "facts":{"pixelHeight":4,"pixelWidth":3},"id":7,"isPinned":true,"kind":"image",\#
        "mediaType":"image\/png","modifiedAt":800000001,"preview":"","revision":2,"tags":["a"],\#
        "title":"Lake","uuid":"01234567-89AB-CDEF-0123-456789ABCDEF"}
        """#
    )
  }

  @Test func `an edit has only what is changed`() throws {
    try expect(SnippetEdit(), as: "{}")
    try expect(
      SnippetEdit(title: "", text: "b", isPinned: false, addedTags: ["c"], removedTags: ["d"]),
      as: #"{"addedTags":["c"],"isPinned":false,"removedTags":["d"],"text":"b","title":""}"#
    )
    try expect(SnippetEdit(isInTrash: false), as: #"{"isInTrash":false}"#)
    try expect(
      SnippetEdit(createdAt: Date(timeIntervalSinceReferenceDate: 7)),
      as: #"{"createdAt":7}"#
    )
  }

  @Test func `nonsense is refused`() {
    refuse(SnippetID.self, "\"7\"", "1.5", "9223372036854775808", "null")
    refuse(SnippetKind.self, "1", "\"video\"", "\"\"")
    refuse(ContentType.self, "\"image/x-nothing\"", "{}")
    refuse(SnippetOrder.self, "{}", #"{"key":"width"}"#, #"{"key":"title","isDescending":1}"#)
    refuse(
      SnippetFilter.self,
      #"{"kinds":["video"]}"#,
      #"{"createdFrom":2,"createdBefore":1}"#,
      #"{"createdFrom":2}"#,
      #"{"tags":[1]}"#
    )
    refuse(MediaFacts.self, #"{"pixelWidth":-1}"#, #"{"milliseconds":-1}"#, #"{"sampleRate":""}"#)
    refuse(SnippetRow.self, "{}", #"{"id":1}"#)
    refuse(SnippetEdit.self, "[]", #"{"title":1}"#)
  }

  private func expect<Value: Codable & Equatable>(_ value: Value, as json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
    #expect(try decode(Value.self, json) == value)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  private func refuse<Value: Decodable>(_ type: Value.Type, _ texts: String...) {
    for json in texts {
      #expect(throws: DecodingError.self, "\(type): \(json)") { try decode(type, json) }
    }
  }
}
