import Foundation

extension WrittenDate {
  /// Reads a date in one of the forms that people and programs write.
  ///
  /// The year comes first (`2024-03-01`, `2024/3/1`, `20240301`, `2024年3月1日`), or the month has a
  /// name (`1 Mar 2024`, `March 1st, 2024`, `Fri Mar 1 10:30:00 2024`), or there are dots, and then
  /// the day comes first (`01.03.2024`). In other numbers with the year at the end, one must be too
  /// large for a month: `05/01/2024` is 5 January in one country and 1 May in another. A year or a
  /// month stands for its first day. A time may follow, with or without seconds, `AM`, `PM` and a
  /// zone: `Z`, `+01:00`, `CET`, `[Europe/Berlin]`. Brackets, quotes and links around the date, and
  /// the day of the week, are no matter.
  ///
  /// The text may have 100 bytes.
  package init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    var reading = DateReading(Self.bare(text))
    guard let date = reading.date() else { return nil }
    self = date
  }

  /// Returns the date within brackets, quotes or a link to its note.
  private static func bare(_ text: String) -> String {
    var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let pairs: [(Character, Character)] = [("[", "]"), ("<", ">"), ("\"", "\""), ("'", "'")]
    if text.hasPrefix("["), !text.hasPrefix("[["), let end = text.range(of: "](") {
      text = String(text[..<end.lowerBound].dropFirst())
    }
    let isLink = text.hasPrefix("[[")
    while let (_, close) = pairs.first(where: { $0.0 == text.first }), text.count > 1,
      text.last == close
    {
      text = text.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
    }
    if isLink {
      text = String(text.prefix { $0 != "|" && $0 != "#" })
      // The link may name the folder of the note.
      if let folder = text.lastIndex(of: "/"), text[..<folder].contains(where: \.isLetter) {
        text = String(text[text.index(after: folder)...])
      }
      if text.hasSuffix(".md") { text = String(text.dropLast(3)) }
    }
    return text
  }
}

/// A date that is read piece by piece.
private struct DateReading {
  private enum Piece: Equatable {
    case number(Int, digits: Int)
    /// A word in lower case.
    case word(String)
    case mark(Unicode.Scalar)
    case blank
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  /// Abbreviations of zones that mean one zone alone, or that mail gives one meaning, in minutes
  /// east of Greenwich.
  private static let zones = [
    "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "west": 60, "cet": 60, "cest": 120, "mez": 60,
    "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "jst": 540, "kst": 540, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780, "hst": -600, "est": -300, "edt": -240, "cst": -360,
    "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480,
  ]

  private var pieces: [Piece]
  private var place = 0

  init(_ text: String) {
    pieces = Self.pieces(text)
  }

  private static func pieces(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let run: Substring.UnicodeScalarView
      if isDigit(first) {
        run = rest.prefix(while: isDigit)
        // A longer one is no part of a date, and a number that does not fit is none at all.
        pieces.append(.number(Int(String(run)) ?? .max, digits: run.count))
      } else if first.properties.isAlphabetic, first.value < 0x3000 {
        run = rest.prefix { $0.properties.isAlphabetic && $0.value < 0x3000 }
        pieces.append(.word(String(run).lowercased()))
      } else if first.properties.isWhitespace {
        run = rest.prefix { $0.properties.isWhitespace }
        pieces.append(.blank)
      } else {
        run = rest.prefix(1)
        pieces.append(.mark(first.properties.isDash ? "-" : first))
      }
      rest = rest[run.endIndex...]
    }
    return pieces
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  // MARK: - Steps

  private mutating func take(_ piece: Piece) -> Bool {
    guard place < pieces.count, pieces[place] == piece else { return false }
    place += 1
    return true
  }

  private mutating func takeMark(_ marks: String) -> Unicode.Scalar? {
    guard case .mark(let mark) = next, marks.unicodeScalars.contains(mark) else { return nil }
    place += 1
    return mark
  }

  private mutating func takeWord(_ words: [String]) -> Bool {
    guard case .word(let word) = next, words.contains(word) else { return false }
    place += 1
    return true
  }

  private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    guard case .number(let number, let count) = next, digits.contains(count) else { return nil }
    place += 1
    return number
  }

  private var next: Piece? { place < pieces.count ? pieces[place] : nil }

  private mutating func skipBlank() { _ = take(.blank) }

  /// Takes steps that belong together; none of them if one fails.
  private mutating func attempt<Result>(
    _ steps: (inout DateReading) -> Result?
  ) -> Result? {
    let start = place
    if let result = steps(&self) { return result }
    place = start
    return nil
  }

  // MARK: - The whole

  mutating func date() -> WrittenDate? {
    skipWeekday()
    guard var date = attempt({ $0.day() }) ?? attempt({ $0.dayBeforeYear() }) else { return nil }
    if date.time == nil {
      _ = attempt { reading -> Void? in
        let start = reading.place
        reading.skipBlank()
        reading.skipWeekday()
        // A blank stays for the time.
        if reading.place > start + 1, reading.pieces[reading.place - 1] == .blank {
          reading.place -= 1
        }
        return reading.place > start + 1 ? () : nil
      }
    }
    if date.time == nil { date = attempt { $0.time(of: date) } ?? date }
    if date.time != nil, date.zone == nil {
      guard readZone(of: &date) else { return nil }
    }
    skipRemark()
    return place == pieces.count ? date : nil
  }

  private mutating func skipWeekday() {
    guard case .word(let word) = next, Self.index(of: word, in: Self.weekdays) != nil else {
      return
    }
    place += 1
    _ = takeMark(",.")
    skipBlank()
  }

  /// Skips the day of the week or a remark in parentheses at the end.
  private mutating func skipRemark() {
    _ = attempt { reading in
      reading.skipBlank()
      if reading.takeMark("(") != nil {
        guard reading.pieces.last == .mark(")") else { return nil as Void? }
        reading.place = reading.pieces.count
      } else {
        _ = reading.takeMark(",")
        reading.skipBlank()
        reading.skipWeekday()
      }
      return reading.place == reading.pieces.count ? () : nil
    }
  }

  // MARK: - Days

  private mutating func day() -> WrittenDate? {
    attempt { $0.compact() } ?? attempt { $0.yearFirst() } ?? attempt { $0.week() }
      ?? attempt { $0.named() } ?? attempt { $0.yearLast() }
  }

  /// Reads `20240301`, or `202403011015`, `20240301101500` and `20240301101500123`.
  private mutating func compact() -> WrittenDate? {
    guard case .number(let number, let count) = next, [8, 12, 14, 17].contains(count) else {
      return nil
    }
    place += 1
    let digits = Array(String(repeating: "0", count: count - "\(number)".count) + "\(number)")
    func part(_ start: Int, _ length: Int) -> Int {
      start + length <= count ? Int(String(digits[start..<start + length])) ?? 0 : 0
    }
    guard var date = WrittenDate(part(0, 4), part(4, 2), part(6, 2)) else { return nil }
    if count > 8 {
      guard (1000...2999).contains(date.year),
        let time = WrittenDate.Time(
          part(8, 2),
          part(10, 2),
          part(12, 2),
          fraction: Double(part(14, 3)) / 1000
        )
      else { return nil }
      date.time = time
    }
    return date
  }

  private mutating func yearFirst() -> WrittenDate? {
    guard let year = number(4...4) else { return nil }
    if takeMark("年") != nil {
      guard let month = number(1...2), takeMark("月") != nil, let day = number(1...2),
        takeMark("日") != nil
      else { return nil }
      return WrittenDate(year, month, day)
    }
    if next == nil { return WrittenDate(year) }
    let separator = takeMark("-/.:")
    // Some write blanks behind dots.
    if separator == nil || separator == "." { skipBlank() }
    guard let month = monthName() ?? (separator == nil ? nil : number(1...2)) else { return nil }
    if next == nil { return WrittenDate(year, month) }
    if let separator { guard take(.mark(separator)) else { return nil } }
    skipBlank()
    guard let day = number(1...2) else { return nil }
    if separator == "." { _ = attempt { $0.takeMark(".") } }
    return WrittenDate(year, month, day)
  }

  /// Reads `2024-W09` and `2024-W09-5`.
  private mutating func week() -> WrittenDate? {
    guard let year = number(4...4) else { return nil }
    _ = takeMark("-")
    guard takeWord(["w"]), let week = number(1...2), (1...53).contains(week) else { return nil }
    let day = attempt { $0.takeMark("-") != nil ? $0.number(1...1) : nil } ?? 1
    guard (1...7).contains(day) else { return nil }
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let parts = DateComponents(
      weekday: day % 7 + 1,
      weekOfYear: week,
      yearForWeekOfYear: year
    )
    guard let date = calendar.date(from: parts),
      calendar.component(.weekOfYear, from: date) == week
    else { return nil }
    let found = calendar.dateComponents([.year, .month, .day], from: date)
    return WrittenDate(found.year ?? 0, found.month ?? 0, found.day ?? 0)
  }

  /// Reads `1 March 2024`, `1-Mar-2024`, `March 1st, 2024` and `March 2024`.
  private mutating func named() -> WrittenDate? {
    var day = attempt { $0.dayOfMonth() }
    skipGlue()
    guard let month = monthName() else { return nil }
    skipGlue()
    if day == nil, let found = attempt({ $0.dayOfMonth() }) {
      day = found
      skipGlue()
    }
    guard let year = number(4...4) else { return nil }
    return WrittenDate(year, month, day)
  }

  private mutating func skipGlue() {
    skipBlank()
    _ = takeMark(",.-/") != nil || takeWord(["of"])
    skipBlank()
  }

  private mutating func dayOfMonth() -> Int? {
    guard let day = number(1...2) else { return nil }
    _ = takeWord(["st", "nd", "rd", "th"])
    return day
  }

  private mutating func monthName() -> Int? {
    guard case .word(let word) = next, let index = Self.index(of: word, in: Self.months) else {
      return nil
    }
    place += 1
    return index + 1
  }

  /// Returns the index of a name that a word of at least three letters begins, or `sept`.
  private static func index(of word: String, in names: [String]) -> Int? {
    word.utf8.count >= 3 ? names.firstIndex { $0.hasPrefix(word) } : nil
  }

  /// Reads `01.03.2024`, `31/12/2024` and `12/31/2024`.
  private mutating func yearLast() -> WrittenDate? {
    guard let first = number(1...2), let separator = takeMark("./-") else { return nil }
    if separator == "." { skipBlank() }
    guard let second = number(1...2), take(.mark(separator)) else { return nil }
    if separator == "." { skipBlank() }
    guard let year = number(4...4) else { return nil }
    if separator == "." || first > 12 || first == second { return WrittenDate(year, second, first) }
    return second > 12 ? WrittenDate(year, first, second) : nil
  }

  /// Reads a date whose year comes after the time, as in `Mar 1 10:30:00 CET 2024`.
  private mutating func dayBeforeYear() -> WrittenDate? {
    let first = attempt { $0.dayOfMonth() }
    skipBlank()
    guard let month = monthName() else { return nil }
    skipBlank()
    guard let day = first ?? dayOfMonth(),
      // The year is still unknown, and a leap year has all days.
      let draft = WrittenDate(2000, month, day), var date = time(of: draft), readZone(of: &date)
    else { return nil }
    skipBlank()
    guard let year = number(4...4), var whole = WrittenDate(year, month, day) else { return nil }
    (whole.time, whole.zone) = (date.time, date.zone)
    return whole
  }

  // MARK: - Times

  /// Reads a time behind a day.
  private mutating func time(of date: WrittenDate) -> WrittenDate? {
    var isMarked = takeWord(["t"])
    if !isMarked {
      _ = takeMark(",")
      skipBlank()
      if takeWord(["at", "um"]) || takeMark("@") != nil {
        skipBlank()
      } else if takeMark("-_") != nil {
        isMarked = true
      }
    }
    guard let time = clock(isMarked: isMarked) else { return nil }
    var date = date
    date.time = time
    return date
  }

  private mutating func clock(isMarked: Bool) -> WrittenDate.Time? {
    var parts: [Int] = []
    if isMarked, case .number(let number, let count) = next, count == 4 || count == 6 {
      place += 1
      parts = count == 4 ? [number] : [number / 100, number % 100]
      parts = [parts[0] / 100, parts[0] % 100] + parts.dropFirst()
    } else {
      guard let hour = number(1...2) else { return nil }
      parts = [hour]
      for _ in 0..<2 {
        guard
          let part = attempt({ reading in
            let isGlued = reading.takeMark(":.") != nil || reading.takeWord(["h"])
            return isGlued ? reading.number(2...2) : nil
          })
        else { break }
        parts.append(part)
      }
    }
    let fraction = parts.count == 3 ? attempt { $0.fraction() } : nil
    let half = attempt { $0.halfOfDay() }
    // A bare number behind a day is no hour.
    guard parts.count > 1 || half != nil || isMarked else { return nil }
    if let half {
      guard parts[0] > 0 else { return nil }
      if parts[0] <= 12 { parts[0] = parts[0] % 12 + (half == "p" ? 12 : 0) }
      guard parts[0] >= 12 || half == "a" else { return nil }
    }
    return WrittenDate.Time(
      parts[0],
      parts.count > 1 ? parts[1] : 0,
      parts.count > 2 ? parts[2] : 0,
      fraction: fraction ?? 0
    )
  }

  private mutating func fraction() -> Double? {
    guard takeMark(".,") != nil, case .number(let digits, let count) = next, count <= 18 else {
      return nil
    }
    place += 1
    return min(Double(digits) / pow(10, Double(count)), 1 - 1e-9)
  }

  /// Reads `AM`, `p.m.` and the like, and returns the first letter.
  private mutating func halfOfDay() -> Character? {
    skipBlank()
    guard case .word(let word) = next else { return nil }
    place += 1
    if word == "am" || word == "pm" { return word.first }
    guard word == "a" || word == "p", takeMark(".") != nil, takeWord(["m"]) else { return nil }
    _ = takeMark(".")
    return word.first
  }

  // MARK: - Zones

  /// Reads a zone, if there is one, and returns whether it is understood.
  private mutating func readZone(of date: inout WrittenDate) -> Bool {
    guard let zone = attempt({ $0.zone() }) else {
      // A word here that is no zone makes the moment uncertain.
      return attempt { reading -> Void? in
        reading.skipBlank()
        if case .word(let word) = reading.next {
          return Self.index(of: word, in: Self.weekdays) == nil ? nil : ()
        }
        return reading.next == .mark("[") ? nil : ()
      } != nil
    }
    date.zone = zone
    return true
  }

  private mutating func zone() -> TimeZone? {
    skipBlank()
    if let zone = attempt({ $0.offset() }) {
      // A name repeats it, and Go adds its other clock.
      skipZoneName()
      return zone
    }
    if let zone = attempt({ $0.namedZone() }) { return zone }
    guard case .word(let word) = next, let minutes = Self.zones[word] else { return nil }
    place += 1
    // As in GMT+0100.
    if minutes == 0, let zone = attempt({ $0.offset() }) { return zone }
    return TimeZone(secondsFromGMT: minutes * 60)
  }

  private mutating func offset() -> TimeZone? {
    guard let sign = takeMark("+-") else { return nil }
    let parts: (hours: Int, minutes: Int)
    if let number = number(4...4) {
      parts = (number / 100, number % 100)
    } else if let hours = number(1...2) {
      parts = (hours, attempt { $0.takeMark(":") == nil ? nil : $0.number(2...2) } ?? 0)
    } else {
      return nil
    }
    guard parts.hours < 24, parts.minutes < 60 else { return nil }
    let seconds = parts.hours * 3600 + parts.minutes * 60
    return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
  }

  private mutating func skipZoneName() {
    _ = attempt { reading -> Void? in
      reading.skipBlank()
      if reading.next == .mark("[") {
        guard let end = reading.pieces[reading.place...].firstIndex(of: .mark("]")) else {
          return nil
        }
        reading.place = end + 1
        return ()
      }
      guard case .word(let word) = reading.next,
        Self.index(of: word, in: Self.weekdays) == nil
      else { return nil }
      reading.place += 1
      reading.skipMonotonicClock()
      return ()
    }
    skipMonotonicClock()
  }

  private mutating func skipMonotonicClock() {
    _ = attempt { reading -> Void? in
      guard reading.take(.blank), reading.takeWord(["m"]), reading.takeMark("=") != nil else {
        return nil
      }
      reading.place = reading.pieces.count
      return ()
    }
  }

  /// Reads `Europe/Berlin`, with or without brackets.
  private mutating func namedZone() -> TimeZone? {
    let isInBrackets = takeMark("[") != nil
    var name = ""
    reading: while let piece = next {
      switch piece {
      case .word(let word): name += word
      case .mark("/"), .mark("_"), .mark("-"), .mark("+"):
        guard case .mark(let mark) = piece else { break reading }
        name.unicodeScalars.append(mark)
      case .number(let number, _) where name.hasPrefix("etc/"): name += "\(number)"
      default: break reading
      }
      place += 1
    }
    guard !isInBrackets || takeMark("]") != nil else { return nil }
    // A zone without a region is an abbreviation.
    guard name.contains("/") || isInBrackets else { return nil }
    if let minutes = Self.zones[name] { return TimeZone(secondsFromGMT: minutes * 60) }
    return TimeZone.knownTimeZoneIdentifiers.first { $0.lowercased() == name }
      .flatMap(TimeZone.init(identifier:))
  }
}
