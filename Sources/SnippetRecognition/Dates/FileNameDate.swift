package import Foundation
import SnippetBase

/// The date that a camera, a recorder, a messenger or a person wrote into the name of a file.
///
/// It is read from names such as `IMG_20240603_101112`, `PXL_20240603_101112345`, which is in UTC,
/// `Screenshot 2024-06-03 at 10.11.12`, `IMG-20240603-WA0001`, `Voice 240603_101112`,
/// `FB_IMG_1717409472000`, a dashboard camera's `2024_0603_101112_001`, `Scan 3 Jun 2024 at 10.11`,
/// Telegram's `photo_1@03-06-2024_10-11-12`, and of notes from
/// `2024-06-03 Meeting`, `20240603101112` and `Jun 3rd, 2024`, the page of a day in Roam and Logseq.
package struct FileNameDate: Sendable, Equatable {
  /// The date, with the time if the name has one.
  package let date: Date
  /// Whether the name has a time.
  package let hasTime: Bool

  // There were no such files before, and a later year is a number of another kind.
  private static let years = 1970...2099

  /// Reads a name.
  ///
  /// - Parameters:
  ///   - name: The name without its extension.
  ///   - isText: Whether the file is a text. Its date must begin the name, because later in it a
  ///     date is often a subject.
  ///   - now: The present. A date more than a day later is none.
  ///   - zone: The zone of the clock, by default that of this machine.
  package init?(_ name: String, isText: Bool, now: Date, in zone: TimeZone = .current) {
    guard name.utf8.count <= 255 else { return nil }
    let places = Self.numberPlaces(in: name)
    for place in isText ? places.prefix(1).filter({ $0 == name.startIndex }) : places {
      guard let found = Self.read(name, from: place, isText: isText, in: zone),
        found.date <= now.addingTimeInterval(86_400)
      else { continue }
      self = found
      return
    }
    guard isText, !places.isEmpty, let found = Self.namedDay(name, in: zone),
      found.date <= now.addingTimeInterval(86_400)
    else { return nil }
    self = found
  }

  /// Returns the date, or that of the file if the name has no time and it is the same day.
  package func date(refinedBy modifiedAt: Date?, in zone: TimeZone = .current) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    guard !hasTime, let modifiedAt, calendar.isDate(modifiedAt, inSameDayAs: date) else {
      return date
    }
    return modifiedAt
  }

  private init(date: Date, hasTime: Bool) {
    (self.date, self.hasTime) = (date, hasTime)
  }

  /// The places at which digits begin.
  private static func numberPlaces(in name: String) -> [String.Index] {
    var places: [String.Index] = []
    var wasDigit = false
    for index in name.indices {
      let isDigit = name[index].isASCIIDigit
      if isDigit, !wasDigit { places.append(index) }
      wasDigit = isDigit
    }
    return places
  }

  private static func read(
    _ name: String,
    from place: String.Index,
    isText: Bool,
    in zone: TimeZone
  ) -> FileNameDate? {
    let rest = name[place...]
    let before = name[..<place]
    let isUTC = before.hasSuffix("PXL_")
    // As Telegram writes it.
    let isDayFirst = before.hasSuffix("@") && rest.dropFirst(2).first == "-"
    // Behind another number, a part of one digit may be of a date that ends with its year.
    let isBehindNumber = before.last == "-" && before.dropLast().last?.isASCIIDigit == true
    let found =
      isYearLast(before, rest)
      ? nil : day(rest, isDayFirst: isDayFirst, mayBeShort: !isBehindNumber) ?? wordedDay(rest)
    guard var written = found else {
      return isText ? nil : milliseconds(rest)
    }
    if isText {
      // A name goes on with a blank or a hyphen; `20240301a` and `2024-03-01.5` are something else.
      guard written.rest.first.map({ $0 == "." || $0.isLetter }) != true || written.date.time != nil
      else { return nil }
    }
    if isUTC { written.date.zone = .gmt }
    return written.date.date(in: zone).map {
      FileNameDate(date: $0, hasTime: written.date.time != nil)
    }
  }

  /// Reads a name that is a day and nothing else, with the name of its month or of its day of the
  /// week near the beginning.
  private static func namedDay(_ name: String, in zone: TimeZone) -> FileNameDate? {
    // Others, such as the week `2024-W09`, are no day.
    guard name.prefix(4).contains(where: \.isLetter), let written = WrittenDate(name),
      written.precision == .day, years.contains(written.year)
    else { return nil }
    return written.date(in: zone).map { FileNameDate(date: $0, hasTime: written.time != nil) }
  }

  /// Whether the digits are the year at the end of a date, as in `03-06-2024_10-11`, and not at the
  /// beginning of one.
  private static func isYearLast(_ before: Substring, _ rest: Substring) -> Bool {
    let marks = "-_."
    guard let mark = rest.dropFirst(4).first, marks.contains(mark) else { return false }
    let tail = Array(before.suffix(6))
    return tail.count == 6
      && tail.indices.allSatisfy { $0 % 3 == 2 ? marks.contains(tail[$0]) : tail[$0].isASCIIDigit }
  }

  // Kept, because a regular expression is parsed each time that it is made, which takes longer than
  // everything else that an import does with a note. Unchecked: matching does not change them.

  private nonisolated(unsafe) static let dayForms:
    [Regex<(Substring, Substring, Substring, Substring)>] = [
      #/(\d{4})[-_.](\d{2})[-_.](\d{2})(?!\d)/#,
      #/(\d{4})(\d{2})(\d{2})(?!\d)/#,
      #/(\d{4})_(\d{2})(\d{2})(?=_\d{6}(?!\d))/#,
      #/((?:19|20)\d{2})(\d{2})(\d{2})(?=\d{4}(?:\d{2}(?:\d{3})?)?(?!\d))/#,
      // Two digits of the year are too little without a time.
      #/(\d{2})(\d{2})(\d{2})(?=[_ -]\d{6}(?!\d))/#,
    ]
  /// The form of programs that write no zeros before a number.
  private nonisolated(unsafe) static let shortForm = #/(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/#
  private nonisolated(unsafe) static let wordedForm =
    #/(\d{1,2}(?:st|nd|rd|th)? \p{L}{3,9}\.?,? \d{4})(?!\d)/#
  private nonisolated(unsafe) static let dayFirstForms:
    [Regex<(Substring, Substring, Substring, Substring)>] = [#/(\d{2})-(\d{2})-(\d{4})(?!\d)/#]
  private nonisolated(unsafe) static let timeForm =
    #/(?:[T_ .-]|[ _,-]+[A-Za-zÀ-ÿ]{1,3}[ _]+|, )?(\d{2}|\d(?=[.:]\d{2}[.:]\d{2}))[-_.:h]?(\d{2})(?:[-_.:m]?(\d{2}))?(?:[._-]?(\d{3}))?(?!\d)(?:[ _\u{A0}\u{202F}]?([AaPp])\.?[Mm])?/#
  private nonisolated(unsafe) static let zoneForm =
    #/(?:Z|([+-])(\d{2})[.:]?(\d{2}))(?![A-Za-z0-9])/#
  private nonisolated(unsafe) static let millisecondsForm = #/(\d{13})(?!\d)/#

  /// Reads a day, and the time behind it.
  private static func day(
    _ text: Substring,
    isDayFirst: Bool,
    mayBeShort: Bool
  ) -> (date: WrittenDate, rest: Substring)? {
    let forms = isDayFirst ? dayFirstForms : dayForms + (mayBeShort ? [shortForm] : [])
    for form in forms {
      guard let match = text.prefixMatch(of: form), let first = Int(match.1),
        let month = Int(match.2), let last = Int(match.3)
      else { continue }
      let (year, day) = isDayFirst ? (last, first) : (first, last)
      let isShort = !isDayFirst && match.1.count == 2
      guard var date = WrittenDate(isShort ? 2000 + year : year, month, day),
        years.contains(date.year)
      else { continue }
      var rest = text[match.0.endIndex...]
      if let (time, end) = time(rest) {
        date.time = time
        // Elsewhere a number may follow a hyphen.
        date.zone = zone(text[end...], mayBeWest: rest.hasPrefix("T"))
        rest = text[end...]
      } else if isShort {
        continue
      }
      return (date, rest)
    }
    return nil
  }

  /// Reads a day with the name of its month, and the time behind it.
  ///
  /// Without a time such words are often a subject.
  private static func wordedDay(_ text: Substring) -> (date: WrittenDate, rest: Substring)? {
    guard let match = text.prefixMatch(of: wordedForm), var date = WrittenDate(String(match.1)),
      date.precision == .day, years.contains(date.year), date.time == nil,
      let (clock, end) = Self.time(text[match.0.endIndex...])
    else { return nil }
    date.time = clock
    return (date, text[end...])
  }

  /// Reads a time such as `_101112345`, ` at 10.11.12 AM`, `T1011` or `-10-11-12`.
  private static func time(_ text: Substring) -> (WrittenDate.Time, String.Index)? {
    guard let match = text.prefixMatch(of: timeForm), var hour = Int(match.1),
      let minute = Int(match.2)
    else { return nil }
    if let half = match.5 {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half.lowercased() == "p" ? 12 : 0)
    }
    let fraction = match.4.flatMap { Double($0) } ?? 0
    guard
      let time = WrittenDate.Time(
        hour,
        minute,
        match.3.flatMap { Int($0) } ?? 0,
        fraction: fraction / 1000
      )
    else { return nil }
    return (time, match.0.endIndex)
  }

  /// Reads a zone behind a time: `Z` or `+0200`.
  private static func zone(_ text: Substring, mayBeWest: Bool) -> TimeZone? {
    guard let match = text.prefixMatch(of: zoneForm) else { return nil }
    guard let sign = match.1, let hours = match.2.flatMap({ Int($0) }),
      let minutes = match.3.flatMap({ Int($0) })
    else { return .gmt }
    guard sign == "+" || mayBeWest, hours <= 14, minutes < 60 else { return nil }
    return TimeZone(secondsFromGMT: (hours * 60 + minutes) * (sign == "+" ? 60 : -60))
  }

  /// Reads the milliseconds since 1970 that some programs for telephones name their files by.
  private static func milliseconds(_ rest: Substring) -> FileNameDate? {
    guard let match = rest.prefixMatch(of: millisecondsForm), let number = Double(match.1) else {
      return nil
    }
    let date = Date(timeIntervalSince1970: number / 1000)
    // From September 2001, with which the numbers of 13 digits begin.
    guard number >= 1e12 else { return nil }
    return FileNameDate(date: date, hasTime: true)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
