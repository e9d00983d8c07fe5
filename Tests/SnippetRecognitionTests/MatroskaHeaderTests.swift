import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct MatroskaHeaderTests {
  @Test func `a WebM with sound alone is a recording with its facts`() throws {
    let bytes = file(
      "webm",
      element(0x1549_A966, duration(1_500)),
      tracks(sound("A_OPUS", 8000, 2))
    )

    let content = try recognize(bytes)

    #expect(
      content
        == RecognizedContent(
          type: .webM,
          facts: MediaFacts(
            duration: .milliseconds(1500),
            sampleRate: 48_000,
            channelCount: 2
          )
        )
    )
  }

  @Test func `of a Matroska file the title and the date are told`() throws {
    let title = element(0x7BA9, Array("Grüße, 牛乳".utf8))
    // Nanoseconds since the beginning of 2001.
    let date = element(0x4461, big(UInt64(791_553_600) * 1_000_000_000))
    let scale = element(0x2A_D7B1, big(UInt32(2_000_000)))
    let words = element(0x1549_A966, scale, duration(250), title, date)

    let content = try recognize(file("matroska", words, tracks(sound("A_FLAC", 44_100, 1))))

    #expect(content?.type == .matroska)
    #expect(content?.title == "Grüße, 牛乳")
    #expect(content?.dates.best == Date(timeIntervalSinceReferenceDate: 791_553_600))
    let facts = MediaFacts(duration: .milliseconds(500), sampleRate: 44_100, channelCount: 1)
    #expect(content?.facts == facts)
  }

  @Test func `one that ends before its segment does is cut short`() throws {
    let cluster = element(0x1F43_B675, zeros(500))
    let bytes = file("webm", tracks(sound("A_OPUS", 8000, 2)), cluster)

    #expect(try recognize(bytes)?.isIrregular == false)
    #expect(try recognize(bytes + zeros(10))?.isIrregular == false)
    for count in [1, 400] {
      #expect(try recognize(Array(bytes.dropLast(count)))?.isIrregular == true)
    }
  }

  @Test func `what a browser records tells neither its size nor its length`() throws {
    let endless: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    let head = element(0x1A45_DFA3, element(0x4282, ascii("webm")))
    let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75, 0xFF] + zeros(500)
    let bytes = head + endless + tracks(sound("A_OPUS", 48_000, 1)) + cluster

    let facts = MediaFacts(sampleRate: 48_000, channelCount: 1)
    #expect(try recognize(bytes) == RecognizedContent(type: .webM, facts: facts))
  }

  @Test func `with video, without sound, and of other documents it is no recording`() throws {
    let video = element(0xAE, element(0x83, [1]))
    let subtitles = element(0xAE, element(0x83, [17]))

    #expect(try recognize(file("webm", tracks(video))) == nil)
    #expect(try recognize(file("webm", tracks(sound("A_OPUS", 48_000, 1), video))) == nil)
    #expect(try recognize(file("matroska", tracks(subtitles))) == nil)
    #expect(try recognize(file("other", tracks(sound("A_OPUS", 48_000, 1)))) == nil)
  }

  @Test func `what is not said has its default`() throws {
    let bytes = file("matroska", tracks(element(0xAE, element(0x83, [2]))))

    let facts = MediaFacts(sampleRate: 8000, channelCount: 1)
    #expect(try recognize(bytes)?.facts == facts)
  }

  @Test func `tags before the sound have the day and a note`() throws {
    let tags = element(
      0x1254_C367,
      tag([("DURATION", "00:00:01.500000000")], track: 5),
      tag([("COMMENT", "of a track")], track: 5),
      tag([("encoder", "Lavf"), ("DATE", "2021-05-06"), ("comment", "A comment, \u{E4}")])
    )
    let words = element(0x1549_A966, duration(1_500))

    let content = try recognize(file("matroska", words, tracks(sound("A_FLAC", 8000, 1)), tags))

    #expect(content?.note == "A comment, \u{E4}")
    #expect(content?.dates.best == RecordingDate.date("2021-05-06"))
    #expect(content?.facts.duration == .milliseconds(1500))
  }

  @Test func `the texts besides the note are named, also those of another text`() throws {
    func content(_ texts: [(String, String)], inside: [UInt8] = []) throws -> RecognizedContent? {
      let actor = element(
        0x67C8,
        element(0x45A3, ascii("ACTOR")),
        element(0x4487, ascii("Anna")),
        inside
      )
      let tags = element(0x1254_C367, tag(texts), element(0x7373, element(0x63C0, []), actor))
      let words = element(0x1549_A966, duration(1_500))
      return try recognize(file("matroska", words, tracks(sound("A_FLAC", 8000, 1)), tags))
    }
    let nested = element(
      0x67C8,
      element(0x45A3, ascii("COMMENT")),
      element(0x4487, ascii("As herself"))
    )

    let both = try content([("COMMENT", "By the sea"), ("DESCRIPTION", "The sea")])
    #expect(both?.note == "The sea" && both?.unreadTexts == [.further(name: "COMMENT")])
    let twice = try content([("COMMENT", "The sea"), ("COMMENT", "The wind")])
    #expect(twice?.note == "The sea" && twice?.unreadTexts == [.further(name: "COMMENT")])
    let inner = try content([("DESCRIPTION", "The sea")], inside: nested)
    #expect(inner?.note == "The sea" && inner?.unreadTexts == [.further(name: "COMMENT")])
    let alone = try content([], inside: nested)
    #expect(alone?.note == nil && alone?.unreadTexts == [.further(name: "COMMENT")])
    #expect(try content([("COMMENT", "The sea"), ("DESCRIPTION", "The sea")])?.unreadTexts == [])
  }

  @Test func `what the sound is told to be counts behind what the file is`() throws {
    func content(_ name: String, _ texts: [(String, String)]) throws -> RecognizedContent? {
      let track = element(
        0xAE,
        element(0x73C5, [5]),
        element(0x83, [2]),
        element(0x536E, ascii(name)),
        element(0x86, ascii("A_OPUS"))
      )
      let own = tag([("COMMENT", "By the sea"), ("DATE", "2021-05-06")], track: 5)
      let tags = element(0x1254_C367, own, tag([("COMMENT", "Of another")], track: 6), tag(texts))
      let words = element(0x1549_A966, duration(1_500))
      return try recognize(file("webm", words, tracks(track), tags))
    }
    let copied = try content("Waves", [])
    #expect(copied?.title == "Waves" && copied?.note == "By the sea")
    #expect(copied?.dates.best == RecordingDate.date("2021-05-06"))
    #expect(copied?.unreadTexts == [])
    let own = try content("Stereo", [("DESCRIPTION", "The sea")])
    #expect(own?.title == nil && own?.note == "The sea")
    #expect(own?.unreadTexts == [.further(name: "COMMENT")])
  }

  @Test(arguments: [(300, false), (2000, true)])
  func `of many long comments others are named, or they are too many`(
    count: Int,
    isTooMany: Bool
  ) throws {
    let words = String(repeating: "wind ", count: 200)
    let texts = (0..<count).map { ("COMMENT", "\($0) \(words)") } + [("DATE", "2021-05-06")]
    let all = element(0x1254_C367, tag(texts))
    let facts = element(0x1549_A966, duration(1_500))
    let title = element(0x1549_A966, duration(1_500), element(0x7BA9, ascii("Waves")))
    let track = tracks(sound("A_FLAC", 8000, 1))

    for words in [facts, title] {
      let content = try #require(try recognize(file("matroska", words, track, all)))

      #expect(content.title == (words == title ? "Waves" : nil))
      #expect(content.note?.hasPrefix("0 wind") == true)
      #expect((content.dates.best == nil) == isTooMany)
      #expect(content.unreadTexts.contains(.further(name: "COMMENT")))
      #expect(content.unreadTexts.contains(.tooMany) == isTooMany)
    }
  }

  @Test func `a day of digitizing counts, and dates that cannot be read are named`() throws {
    func content(_ date: [UInt8], _ texts: [(String, String)]) throws -> RecognizedContent? {
      let words = element(0x1549_A966, duration(1_500), date)
      let tags = element(0x1254_C367, tag(texts))
      return try recognize(file("matroska", words, tracks(sound("A_FLAC", 8000, 1)), tags))
    }
    let day = try content([], [("DATE_DIGITIZED", "2021-05-06")])
    // In 1909.
    let old = element(0x4461, big(Int64(-2_900_000_000) * 1_000_000_000))
    let unread = try content(old, [("DATE", "last week")])

    #expect(day?.dates.best == RecordingDate.date("2021-05-06"))
    #expect(day?.unreadTexts == [])
    #expect(unread?.dates.best == nil)
    #expect(unread?.unreadTexts == [.unreadable(name: "DATE"), .unreadable(name: "DateUTC")])
  }

  @Test(arguments: [
    ("V_MJPEG", "00:00:00.040000000", true), ("V_MJPEG", "00:00:09.960000000", false),
    ("V_MJPEG", "soon", false), ("V_VP9", "00:00:00.040000000", false),
  ])
  func `the cover of an album is no video`(
    codec: String,
    shown: String,
    isRecording: Bool
  ) throws {
    let cover = element(
      0xAE,
      element(0x73C5, [9]),
      element(0x86, ascii(codec)),
      element(0x83, [1])
    )
    let words = element(0x1549_A966, duration(10_000))
    let tags = element(0x1254_C367, tag([("DURATION", shown)], track: 9))
    let bytes = file("matroska", words, tracks(sound("A_OPUS", 48_000, 1), cover), tags)

    #expect((try recognize(bytes)?.type == .matroska) == isRecording)
    #expect(try recognize(file("matroska", tracks(sound("A_OPUS", 48_000, 1), cover))) == nil)
  }

  @Test(arguments: [.nan, .infinity, -1, 0, 1e300])
  func `an absurd length is no fact`(length: Double) throws {
    let words = element(0x1549_A966, duration(length))

    let facts = try recognize(file("webm", words, tracks(sound("A_OPUS", 48_000, 1))))?.facts

    #expect(facts == MediaFacts(sampleRate: 48_000, channelCount: 1))
  }

  @Test(arguments: [1, 50, 120, 200, 600])
  func `a recording of any length has all its facts`(clusterCount: Int) throws {
    let words = element(0x1549_A966, duration(1_500), element(0x7BA9, ascii("Title")))
    let cluster = element(0x1F43_B675, zeros(3_000))
    let track = tracks(sound("A_FLAC", 44_100, 2))
    // Programs leave room for an index before the information.
    let room = element(0xEC, zeros(4_096))

    let bytes = file("matroska", room, words, track, repeated(cluster, clusterCount))
    let content = try recognize(bytes)

    let facts = MediaFacts(duration: .milliseconds(1500), sampleRate: 44_100, channelCount: 2)
    #expect(content == RecognizedContent(type: .matroska, facts: facts, title: "Title"))
  }

  @Test func `a long recording without information has its sound format`() throws {
    let settings = element(0x63A2, zeros(5_000))
    let format = element(0xE1, element(0xB5, big(Float(44_100).bitPattern)), element(0x9F, [2]))
    let codec = element(0x86, ascii("A_VORBIS"))
    let track = element(0xAE, element(0x83, [2]), codec, settings, format)
    let clusters = repeated(element(0x1F43_B675, zeros(3_000)), 600)

    let content = try recognize(file("webm", tracks(track), clusters))

    let facts = MediaFacts(sampleRate: 44_100, channelCount: 2)
    #expect(content == RecognizedContent(type: .webM, facts: facts))
  }

  @Test func `a header that is cut short or altered anywhere costs no more than itself`() throws {
    let words = element(0x1549_A966, duration(100), element(0x7BA9, ascii("Title")))
    let whole = file("webm", words, tracks(sound("A_VORBIS", 8000, 2)))
    for index in whole.indices {
      let part = try recognize(Array(whole[..<index]))
      #expect(part == nil || part?.type == .webM, "\(index) bytes")
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var damaged = whole
        damaged[index] = value
        _ = try recognize(damaged)
      }
    }
  }
}

private func element(_ id: UInt32, _ parts: [UInt8]...) -> [UInt8] {
  let name = Array(big(id).drop { $0 == 0 })
  let content = parts.flatMap { $0 }
  return name + big(UInt32(content.count) | 0x1000_0000) + content
}

private func file(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  element(0x1A45_DFA3, element(0x4282, ascii(type))) + element(0x1853_8067, parts.flatMap { $0 })
}

private func repeated(_ part: [UInt8], _ count: Int) -> [UInt8] {
  (0..<count).flatMap { _ in part }
}

private func tracks(_ entries: [UInt8]...) -> [UInt8] {
  element(0x1654_AE6B, entries.flatMap { $0 })
}

private func sound(_ codec: String, _ sampleRate: Float, _ channelCount: UInt8) -> [UInt8] {
  let numbers = element(
    0xE1,
    element(0xB5, big(sampleRate.bitPattern)),
    element(0x9F, [channelCount])
  )
  return element(0xAE, element(0xD7, [1]), element(0x83, [2]), element(0x86, ascii(codec)), numbers)
}

private func duration(_ length: Double) -> [UInt8] { element(0x4489, big(length.bitPattern)) }

private func tag(_ values: [(name: String, text: String)], track: UInt8? = nil) -> [UInt8] {
  let target = track.map { element(0x63C5, [$0]) } ?? []
  let texts = values.flatMap { value in
    element(0x67C8, element(0x45A3, ascii(value.name)), element(0x4487, Array(value.text.utf8)))
  }
  return element(0x7373, element(0x63C0, target), texts)
}
