import SnipCore
import Testing

@testable import snip

struct ByteRangeTests {
  @Test(
    arguments: [
      ("0-99", .between(first: 0, last: 99)), ("5-5", .between(first: 5, last: 5)),
      ("100-", .from(100)),
      ("-50", .last(50)), ("007-09", .between(first: 7, last: 9)),
      ("0-9223372036854775807", .between(first: 0, last: .max)),
    ] as [(String, ByteRange)]
  )
  func `a range is read as in HTTP`(text: String, range: ByteRange) throws {
    #expect(try ByteRange(text) == range)
  }

  @Test(
    arguments: [
      ("", .notARange("")), ("-", .notARange("-")), ("5", .notARange("5")),
      ("1-2-3", .notARange("1-2-3")),
      ("a-b", .notARange("a-b")), ("+1-2", .notARange("+1-2")), (" 1-2", .notARange(" 1-2")),
      ("1--2", .notARange("1--2")), ("１-２", .notARange("１-２")), ("9-3", .reversed("9-3")),
      ("-0", .empty("-0")), ("0-9223372036854775808", .tooGreat("0-9223372036854775808")),
    ] as [(String, ByteRangeError)]
  )
  func `what is no range is refused with its reason`(text: String, error: ByteRangeError) {
    #expect(throws: error) { try ByteRange(text) }
    #expect(error.status == .usage)
    #expect(error.message.contains("‘\(text)’"))
  }

  @Test(
    arguments: [
      (.between(first: 0, last: 99), 1000, 0..<100), (.between(first: 0, last: 99), 50, 0..<50),
      (.between(first: 49, last: .max), 50, 49..<50), (.from(10), 50, 10..<50),
      (.from(0), 1, 0..<1),
      (.last(50), 1000, 950..<1000), (.last(50), 20, 0..<20), (.last(.max), 20, 0..<20),
      (.last(1), 0, 0..<0), (.last(50), -1, 0..<0), (.last(.max), .min, 0..<0),
    ] as [(ByteRange, Int, Range<Int>)]
  )
  func `a range is cut off at the end of the bytes`(
    range: ByteRange,
    byteCount: Int,
    offsets: Range<Int>
  ) throws {
    #expect(try range.offsets(inByteCount: byteCount) == offsets)
  }

  @Test(
    arguments: [(.from(50), 50), (.between(first: 60, last: 70), 50), (.from(0), 0)]
      as [(ByteRange, Int)]
  )
  func `a range behind the last byte is refused`(range: ByteRange, byteCount: Int) throws {
    let error = try #require(throws: ByteRangeError.self) {
      try range.offsets(inByteCount: byteCount)
    }

    #expect(error.status == .badInput)
    #expect(error.hint != nil)
  }

  @Test func `a range behind the only byte is refused in the singular`() {
    let error = ByteRangeError.outside(first: 5, byteCount: 1)

    #expect(error.message == "could not read from byte 5: the snippet has only 1 byte")
    #expect(error.hint == "The last byte is 0, counted from 0.")
  }
}
