import Testing

@testable import SnippetRecognition

struct MediaFactsCheckingTests {
  @Test func `a playing time is exact to the nanosecond`() {
    let duration = Duration(units: 100_000_000_001, rate: 44_100)

    #expect(duration == .seconds(2_267_573) + .nanoseconds(696_167_800))
  }

  @Test func `a rate may be a fraction`() {
    #expect(Duration(units: 11_025, rate: 22_050.0) == .milliseconds(500))
    #expect(Duration(units: 12_345_678, rate: 12_345.678) == .seconds(1000))
  }

  @Test(arguments: [.nan, .infinity, -8000, 0, 1e300, 1e-300])
  func `an absurd rate is no playing time`(rate: Double) {
    #expect(Duration(units: 8000, rate: rate) == nil)
  }

  @Test func `a playing time is from none to ten years`() {
    let tenYears: Int64 = 10 * 366 * 86_400

    #expect(Duration(units: 0, rate: 1) == .zero)
    #expect(Duration(units: tenYears, rate: 1) == .seconds(tenYears))
    #expect(Duration(units: tenYears + 1, rate: 1) == nil)
    #expect(Duration(units: -1, rate: 1) == nil)
    #expect(Duration(units: UInt64.max, rate: 1) == nil)
    #expect(Duration(units: Int64.max, rate: 8000.5) == nil)
  }

  @Test(arguments: [
    (1.0, 1), (22_254.545, 22_255), (10_000_000, 10_000_000), (10_000_000.4, 10_000_000),
    (10_000_001, nil), (0.4, nil), (0, nil), (-8000, nil), (.nan, nil), (.infinity, nil),
    (1e300, nil),
  ])
  func `a sample rate is from 1 to 10,000,000 Hz`(claimed: Double, sampleRate: Int?) {
    let facts = MediaFacts.recording(.seconds(1), sampleRate: claimed, channelCount: 2)

    #expect(
      facts == MediaFacts(duration: .seconds(1), sampleRate: sampleRate, channelCount: 2)
    )
  }

  @Test(arguments: [(1, 1), (1024, 1024), (1025, nil), (0, nil), (.max, nil)] as [(UInt64, Int?)])
  func `there are from 1 to 1,024 channels`(claimed: UInt64, channelCount: Int?) {
    let facts = MediaFacts.recording(nil, sampleRate: UInt64.max, channelCount: claimed)

    #expect(facts == MediaFacts(channelCount: channelCount))
  }
}
