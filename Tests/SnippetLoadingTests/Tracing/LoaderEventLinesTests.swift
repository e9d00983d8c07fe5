import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LoaderEventLinesTests {
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

  private func text(_ events: [LoaderEvent], lostCount: Int = 0) throws -> String {
    String(decoding: try LoaderEventLines.data(events, lostCount: lostCount), as: UTF8.self)
  }

  @Test(arguments: forms)
  func `every event has one form`(action: LoaderEvent.Action, form: String) throws {
    let text = try text([LoaderEvent(time: .nanoseconds(5), action)])

    #expect(text == "\(Self.head)\n{\(form)}\n")
  }

  @Test func `the lines hold all events and how many are lost`() throws {
    let events = Self.forms.map { LoaderEvent(time: .seconds(1_000_000), $0.0) }

    let lines = try text(events, lostCount: 12).split(separator: "\n")

    #expect(lines.count == 1 + events.count)
    #expect(lines[0] == #"{"format":"snippet-loader-events","lost":12,"version":1}"#)
    #expect(lines.dropFirst().allSatisfy { $0.contains(#""at":1000000000000000"#) })
  }

  @Test func `a trace writes what it holds`() async throws {
    let trace = LoaderTrace()
    await MainActor.run { ScriptedLoader(trace: trace).loader.show(visible: 0..<4) }
    let file = TemporaryDirectory.file("trace.jsonl")

    try await trace.write(to: file)

    #expect(try String(contentsOf: file, encoding: .utf8) == text(trace.held.events))
    #expect(!trace.held.events.isEmpty)
  }
}
