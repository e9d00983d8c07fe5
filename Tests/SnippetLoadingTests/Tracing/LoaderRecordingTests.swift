import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LoaderRecordingTests {
  private static let key = LoadKey(blobID: BlobID(rawValue: 7), recipe: Recipe.numbered(2))
  private static let id = SnippetID(rawValue: 9)

  /// Each event, and its form in a file, which must stay as it is.
  private static let forms: [(LoaderEvent.Action, String)] = [
    (.viewportMoved(to: 3..<15), #""at":5,"event":"viewportMoved","from":3,"to":15"#),
    (
      .bound(slot: 1, id, position: 4, .rowOnly),
      #""at":5,"event":"bound","outcome":"rowOnly","position":4,"slot":1,"snippet":9"#
    ),
    (
      .bound(slot: nil, nil, position: -4, .failed),
      #""at":5,"event":"bound","outcome":"failed","position":-4"#
    ),
    (.unbound(slot: 1), #""at":5,"event":"unbound","slot":1"#),
    (
      .hit(slot: 1, key, byteCount: 10),
      #""at":5,"blob":7,"bytes":10,"event":"hit","recipe":"test 2","slot":1"#
    ),
    (.pending(slot: 1, key), #""at":5,"blob":7,"event":"pending","recipe":"test 2","slot":1"#),
    (
      .knownFailure(slot: 1, key, code: "notFound"),
      #""at":5,"blob":7,"code":"notFound","event":"knownFailure","recipe":"test 2","slot":1"#
    ),
    (
      .loadStarted(LoadKey(.snippet(id, revision: 3), recipe: Recipe.numbered(2))),
      #""at":5,"event":"loadStarted","recipe":"test 2","revision":3,"snippet":9"#
    ),
    (.loadStarted(key), #""at":5,"blob":7,"event":"loadStarted","recipe":"test 2""#),
    (
      .loadFinished(key, byteCount: 10),
      #""at":5,"blob":7,"bytes":10,"event":"loadFinished","recipe":"test 2""#
    ),
    (
      .loadFailed(key, code: "unreadable", attempt: 2),
      #""at":5,"attempt":2,"blob":7,"code":"unreadable","event":"loadFailed","recipe":"test 2""#
    ),
    (
      .loadDelayed(key, by: .milliseconds(200)),
      #""at":5,"blob":7,"delay":200000000,"event":"loadDelayed","recipe":"test 2""#
    ),
    (.loadCancelled(key), #""at":5,"blob":7,"event":"loadCancelled","recipe":"test 2""#),
    (.loadWithdrawn(key), #""at":5,"blob":7,"event":"loadWithdrawn","recipe":"test 2""#),
    (
      .delivered(slot: 1, key, .loaded),
      #""at":5,"blob":7,"event":"delivered","recipe":"test 2","slot":1,"state":"loaded""#
    ),
    (
      .dropped(slot: 1, key, .cellGone),
      #""at":5,"blob":7,"event":"dropped","reason":"cellGone","recipe":"test 2","slot":1"#
    ),
    (
      .rowsRead(0..<40, isAhead: true, listCount: 1_000),
      #""ahead":true,"at":5,"count":1000,"event":"rowsRead","from":0,"to":40"#
    ),
    (.rowReadFailed(isAhead: false), #""ahead":false,"at":5,"event":"rowReadFailed""#),
    (.listChanged(listCount: 999), #""at":5,"count":999,"event":"listChanged""#),
    (.suspended, #""at":5,"event":"suspended""#),
    (.resumed, #""at":5,"event":"resumed""#),
    (.allCancelled, #""at":5,"event":"allCancelled""#),
    (.reset(.all), #""at":5,"event":"reset""#),
    (.reset(.slot(3)), #""at":5,"event":"reset","slot":3"#),
    (.retried(.position(3)), #""at":5,"event":"retried","position":3"#),
    (.closed, #""at":5,"event":"closed""#),
  ]

  private static let head = #"{"format":"snippet-loader-events","lost":0,"version":1}"#

  @Test(arguments: forms)
  func `every event has one form, and is read from it`(
    action: LoaderEvent.Action,
    form: String
  ) throws {
    let recording = LoaderRecording(events: [LoaderEvent(time: .nanoseconds(5), action)])
    let text = "\(Self.head)\n{\(form)}\n"

    #expect(String(decoding: try recording.jsonLines(), as: UTF8.self) == text)
    #expect(try LoaderRecording(jsonLines: Data(text.utf8)) == recording)
  }

  @Test func `a file holds all events and how many are lost`() async throws {
    let recording = LoaderRecording(
      events: Self.forms.map { LoaderEvent(time: .seconds(1_000_000), $0.0) },
      lostCount: 12
    )
    let file = TemporaryDirectory.file("trace.jsonl")

    try await recording.write(to: file)

    #expect(try await LoaderRecording.read(from: file) == recording)
  }

  @Test func `a trace writes what it holds`() async throws {
    let trace = LoaderTrace()
    await MainActor.run { ScriptedLoader(trace: trace).loader.show(visible: 0..<4) }
    let file = TemporaryDirectory.file("trace.jsonl")

    try await trace.write(to: file)

    #expect(try await LoaderRecording.read(from: file) == LoaderRecording(trace))
    #expect(!LoaderRecording(trace).events.isEmpty)
  }

  @Test func `a file that is not there is the error of the system`() async {
    await #expect(throws: CocoaError.self) {
      try await LoaderRecording.read(from: TemporaryDirectory.file("missing"))
    }
  }

  @Test func `line ends of any system, empty lines and unknown fields are skipped`() throws {
    let text = "\n\(Self.head)\r\n\r\n{\"at\":1,\"event\":\"closed\",\"more\":{}}\r\n  \n"

    #expect(
      try LoaderRecording(jsonLines: Data(text.utf8)).events == [
        LoaderEvent(time: .nanoseconds(1), .closed)
      ]
    )
  }

  private static let faults: [(String, LoaderRecordingError.Problem)] = [
    (#"{"at":1}"#, .missingField("event")),
    (#"{"event":"closed"}"#, .missingField("at")),
    (#"{"at":-1,"event":"closed"}"#, .wrongField("at", reason: "it is below 0")),
    (#"{"at":1,"event":"exploded"}"#, .wrongField("event", reason: "there is no event “exploded”")),
    (#"{"at":1,"event":3}"#, .wrongField("event", reason: "it is of another type")),
    (#"{"at":1,"event":null}"#, .wrongField("event", reason: "it is missing")),
    (#"{"at":1,"event":"unbound"}"#, .missingField("slot")),
    (#"{"at":1,"event":"unbound","slot":-1}"#, .wrongField("slot", reason: "it is below 0")),
    (
      #"{"at":1,"event":"viewportMoved","from":4,"to":3}"#,
      .wrongField("to", reason: "it is below “from”")
    ),
    (
      #"{"at":1,"event":"delivered","slot":1,"blob":1,"recipe":"original","state":"lost"}"#,
      .wrongField("state", reason: "it cannot be “lost”")
    ),
    (#"{"at":1,"event":"loadStarted","blob":1}"#, .missingField("recipe")),
    ("[]", .notJSON), ("null", .notJSON), ("{", .notJSON), ("\u{0}", .notJSON),
    (String(repeating: "[", count: 100_000), .notJSON),
  ]

  @Test(arguments: faults)
  func `what is wrong is told with its line`(
    line: String,
    problem: LoaderRecordingError.Problem
  ) throws {
    let text = "\(Self.head)\n{\"at\":1,\"event\":\"closed\"}\n\(line)\n"

    let error = try #require(throws: LoaderRecordingError.self) {
      try LoaderRecording(jsonLines: Data(text.utf8))
    }

    #expect(error.problem == problem)
    #expect(error.line == 3)
    #expect(error.description.contains("line 3"))
  }

  @Test(arguments: [
    "", "\n", "{}", "hello", #"{"at":1,"event":"closed"}"#,
    #"{"format":"other","lost":0,"version":1}"#,
    #"{"format":"snippet-loader-events","lost":0,"version":0}"#,
  ])
  func `what does not begin as a recording is none`(text: String) throws {
    let error = try #require(throws: LoaderRecordingError.self) {
      try LoaderRecording(jsonLines: Data(text.utf8))
    }
    #expect(error.problem == .notARecording)
  }

  @Test func `a newer form is refused by its number`() throws {
    let text = #"{"format":"snippet-loader-events","lost":0,"version":2}"#

    let error = try #require(throws: LoaderRecordingError.self) {
      try LoaderRecording(jsonLines: Data(text.utf8))
    }

    #expect(error.problem == .newerVersion(2))
  }

  @Test(.seeded) func `no bytes whatever trap`() throws {
    var random = SeededGenerator()
    let recording = LoaderRecording(
      events: Self.forms.map { LoaderEvent(time: .nanoseconds(1), $0.0) }
    )
    let bytes = try recording.jsonLines()
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0...random.below(4) {
        switch random.below(3) {
        case 0: damaged[random.below(damaged.count)] = UInt8(random.below(256))
        case 1: damaged.removeSubrange(random.below(damaged.count)..<damaged.count)
        default: damaged.insert(UInt8(ascii: "9"), at: random.below(damaged.count + 1))
        }
        if damaged.isEmpty { break }
      }
      // Only that it returns, with a recording or an error, is asked for; what it returns is used.
      guard let read = try? LoaderRecording(jsonLines: damaged) else { continue }
      #expect(ScrollReplay(read).frames.count <= 1)
      #expect(CacheReplay(read).ratios(byteLimit: 1_000).objects <= 1)
      #expect(CacheReplay(read).bestRatios(byteLimit: 1_000).objects <= 1)
    }
  }
}
