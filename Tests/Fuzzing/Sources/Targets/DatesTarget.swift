import Foundation
import SnippetBase
import SnippetRecognition

extension FuzzTarget {
  /// Reads dates: as a value of front matter, and in the name of a note and of a picture.
  static let dates = FuzzTarget("dates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let years = -62_135_596_800.0..<253_402_300_800
    let read = WrittenDate.date(text, in: .gmt)
    if let read { try require(years.contains(read.timeIntervalSince1970), "\(text) is \(read)") }
    if let written = WrittenDate(text), written.zone == nil, written.time == nil {
      try require(text.contains(where: \.isNumber), "\(text) has a number")
    }
    let now = Date(timeIntervalSince1970: 1_750_000_000)
    for isText in [true, false] {
      guard let named = FileNameDate(text, isText: isText, now: now) else { continue }
      try require(
        named.date <= now.addingTimeInterval(86_400),
        "\(text) is in the future: \(named.date)"
      )
    }
    _ = DateWords(now: now).period(text)
  }
}
