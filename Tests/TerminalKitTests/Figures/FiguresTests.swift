import Foundation
import Testing

@testable import TerminalKit

struct FiguresTests {
  @Test(
    arguments: [
      (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
      (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
      (1_234_567, "1.2 MB"), (45_300_000, "45.3 MB"), (123_456_789, "123 MB"),
      (999_999_999, "1.0 GB"), (Int64.max, "9.2 EB"), (Int64.min, "-9.2 EB"), (-1500, "-1.5 kB"),
    ] as [(Int64, String)]
  )
  func `bytes are counted in decimal units`(byteCount: Int64, text: String) {
    #expect(ByteCountText(byteCount).description == text)
  }

  @Test(
    arguments: [
      (.zero, "0:00"), (.milliseconds(1), "0:01"), (.milliseconds(1499), "0:01"),
      (.milliseconds(1500), "0:02"), (.seconds(14), "0:14"), (.milliseconds(59_600), "1:00"),
      (.seconds(73), "1:13"), (.seconds(3723), "1:02:03"), (.seconds(360_000), "100:00:00"),
      (.seconds(-5), "0:00"), (.seconds(Int64.max / 4), "640511947003803:52:31"),
    ] as [(Duration, String)]
  )
  func `a duration reads as on a player`(duration: Duration, text: String) {
    #expect(DurationText(duration).description == text)
  }

  @Test(
    arguments: [
      (.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1000), "1.0 µs"),
      (.nanoseconds(99_949), "99.9 µs"), (.nanoseconds(99_950), "100 µs"),
      (.nanoseconds(999_600), "1.0 ms"), (.microseconds(1234), "1.2 ms"),
      (.milliseconds(340), "340 ms"), (.milliseconds(2440), "2.4 s"),
      (.milliseconds(59_949), "59.9 s"),
      (.milliseconds(59_950), "1:00"), (.seconds(80), "1:20"), (.seconds(-1), "0 ns"),
    ] as [(Duration, String)]
  )
  func `a time taken is in the unit that suits it`(duration: Duration, text: String) {
    #expect(ElapsedText(duration).description == text)
  }

  @Test func `a rate is an amount for each second`() {
    #expect(RateText(byteCount: 24_600_000, over: .seconds(2))?.description == "12.3 MB/s")
    #expect(RateText(count: 568, over: .milliseconds(500))?.description == "1136/s")
    #expect(RateText(count: 1, over: .zero) == nil)
    #expect(RateText(byteCount: .max, over: .nanoseconds(1)) == nil)
  }

  @Test func `a table shows local time to the minute`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let date = Date(timeIntervalSince1970: 1_763_715_662.345)

    #expect(DateText.short(date, in: berlin) == "2025-11-21 10:01")
    #expect(DateText.short(date, in: .gmt) == "2025-11-21 09:01")
    for milliseconds in [Int64.min, -1 << 60, 1 << 60, 9_223_372_036_854_774_784] {
      let absurd = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(!DateText.short(absurd, in: berlin).isEmpty)
    }
  }
}
