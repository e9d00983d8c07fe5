import Foundation
import SnippetBase
import Testing

struct DateWordsTests {
  /// 2024-03-01 at one in the morning, where it is still February in UTC.
  private static let zone = TimeZone(secondsFromGMT: 2 * 3600) ?? .gmt
  private let words = DateWords(
    now: Date(timeIntervalSince1970: 1_709_247_600),
    timeZone: Self.zone
  )

  @Test(arguments: [
    ("2024", "2024-01-01T00:00", "2025-01-01T00:00"),
    ("2024-02", "2024-02-01T00:00", "2024-03-01T00:00"),
    ("2024/2/29", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("today", "2024-03-01T00:00", "2024-03-02T00:00"),
    ("Yesterday", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("0d", "2024-03-01T00:00", "2024-03-02T00:00"),
    ("3d", "2024-02-27T00:00", "2024-02-28T00:00"),
    ("2w", "2024-02-16T00:00", "2024-02-17T00:00"),
    ("1m", "2024-02-01T00:00", "2024-02-02T00:00"),
    ("1y", "2023-03-01T00:00", "2023-03-02T00:00"),
    ("3h", "2024-02-29T22:00", "2024-02-29T22:00"),
    ("2024-03-01T18:30", "2024-03-01T18:30", "2024-03-01T18:30"),
    ("2024-03-01T18:30Z", "2024-03-01T20:30", "2024-03-01T20:30"),
    ("2024-03-01T18:30:00-01:30", "2024-03-01T22:00", "2024-03-01T22:00"),
    ("2024-03-01 18:30", "2024-03-01T18:30", "2024-03-01T18:30"),
    ("2024-03-01T18:30+2", "2024-03-01T18:30", "2024-03-01T18:30"),
    ("01.03.2024", "2024-03-01T00:00", "2024-03-02T00:00"),
    ("March 2024", "2024-03-01T00:00", "2024-04-01T00:00"),
    ("0001-01-02", "0001-01-02T00:00", "0001-01-03T00:00"),
  ])
  func `a date is a stretch of time`(_ text: String, _ start: String, _ end: String) throws {
    let period = try #require(words.period(text))

    let style = Date.ISO8601FormatStyle(timeZone: Self.zone)
    #expect(
      period.lowerBound.formatted(style).hasPrefix(start),
      "\(period.lowerBound.formatted(style))"
    )
    #expect(
      period.upperBound.formatted(style).hasPrefix(end),
      "\(period.upperBound.formatted(style))"
    )
  }

  @Test(arguments: [
    "", "x", "24", "2024-13", "2024-00", "2023-02-29", "2024-1-", "-2024", "2024-01-01T", "d", "3",
    "999999d", "3x", "2024-01-01T25:00", "2024-01-01T10:00:00.", "01/02/2024",
    "２０２４", "0000", "99999y",
  ])
  func `what is no date is none`(_ text: String) {
    #expect(words.period(text) == nil)
  }
}
