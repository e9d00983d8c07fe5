import Foundation
import SnippetBase
import SnippetStorage
import Testing

struct MillisecondDateTests {
  @Test(
    arguments: [
      (1_763_715_662.345, "2025-11-21T09:01:02.345Z"), (0, "1970-01-01T00:00:00.000Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"), (0.9996, "1970-01-01T00:00:01.000Z"),
      (1_709_164_800, "2024-02-29T00:00:00.000Z"),
      (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
      (-12_212_553_600, "1583-01-01T00:00:00.000Z"), (-12_219_292_800, "1582-10-15T00:00:00.000Z"),
      (951_782_399.999, "2000-02-28T23:59:59.999Z"), (951_868_800, "2000-03-01T00:00:00.000Z"),
      (4_107_542_400, "2100-03-01T00:00:00.000Z"),
    ] as [(Double, String)]
  )
  func `JSON has dates in UTC with milliseconds`(seconds: Double, text: String) {
    #expect(Date(timeIntervalSince1970: seconds).iso8601Milliseconds == text)
    #expect(Date(iso8601Milliseconds: text)?.milliseconds == Int64((seconds * 1000).rounded()))
  }

  @Test func `every day of some centuries is written as Foundation writes it`() {
    for day in stride(from: -141_000, to: 90_000, by: 7) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_723)

      #expect(date.iso8601Milliseconds == date.formatted(.iso8601).replacing("Z", with: ".000Z"))
    }
  }

  @Test func `no millisecond is lost on the way to JSON`() {
    for milliseconds in 0..<1000 {
      let date = Date(timeIntervalSince1970: 1_763_715_662 + Double(milliseconds) / 1000)
      let digits = String(String(1000 + milliseconds).dropFirst())

      #expect(date.iso8601Milliseconds == "2025-11-21T09:01:02.\(digits)Z")
      #expect(
        Date(iso8601Milliseconds: date.iso8601Milliseconds)?.milliseconds == date.milliseconds
      )
    }
  }

  @Test(
    arguments: [
      "", "2025", "2025-11-21T09:01:02Z", "2025-11-21T09:01:02.34Z", "2025-11-21T09:01:02.3456Z",
      "2025-11-21T09:01:02.345", "2025-11-21T09:01:02.345+01:00", "2025-13-21T09:01:02.345Z",
      "2025-11-21T09:01:02.-45Z", "x2025-11-21T09:01:02.345Z",
    ]
  )
  func `what is written otherwise is no date`(text: String) {
    #expect(Date(iso8601Milliseconds: text) == nil)
  }
}
