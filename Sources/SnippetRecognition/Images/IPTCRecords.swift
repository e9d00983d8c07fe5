import Foundation
import SnippetBase

/// The IPTC records of a picture, in which photo programs keep what people say of it.
///
/// IPTC-NAA Information Interchange Model, version 4.2, alone or within the image resources of
/// Photoshop.
struct IPTCRecords {
  private enum Field: UInt16 {
    // The number of the record, then that of the field.
    case characters = 0x015A
    case title = 0x0205
    case keyword = 0x0219
    case day = 0x0237
    case time = 0x023C
    case digitalDay = 0x023E
    case digitalTime = 0x023F
    case headline = 0x0269
    case caption = 0x0278
  }

  private static let mark: UInt8 = 0x1C
  // Real blocks have a few dozen.
  private static let maximumCount = 1024

  private var fields: [(field: Field, bytes: [UInt8])] = []

  /// Reads the records themselves, or those in image resources; empty if there are none.
  init(in bytes: [UInt8]) {
    let records: ArraySlice<UInt8>? =
      bytes.first == Self.mark ? bytes[...] : Self.records(in: bytes)
    guard var rest = records else { return }
    for _ in 0..<Self.maximumCount {
      // A size with the highest bit set is an extended one, which no text here needs.
      guard rest.count >= 5, rest.first == Self.mark else { return }
      let head = Array(rest.prefix(5))
      let count = Int(head[3]) << 8 | Int(head[4])
      rest = rest.dropFirst(5)
      guard count < 0x8000, count <= rest.count else { return }
      if let field = Field(rawValue: UInt16(head[1]) << 8 | UInt16(head[2])) {
        fields.append((field, Array(rest.prefix(count))))
      }
      rest = rest.dropFirst(count)
    }
  }

  /// The title, or else the headline; `nil` if neither says anything.
  var title: String? {
    let title = first(.title).flatMap(text) ?? first(.headline).flatMap(text)
    return title.flatMap { EmbeddedTitle.text(Array($0.utf8), in: .utf8) }
  }

  /// The caption; `nil` if it says nothing.
  var caption: String? { first(.caption).flatMap(text) }

  /// The keywords in their order.
  var keywords: [String] {
    fields.filter { $0.field == .keyword }.compactMap { field in
      isUnicode
        ? EmbeddedTitle.text(field.bytes, in: .utf8) : EmbeddedTitle.text(field.bytes)
    }
  }

  /// The moment at which the picture was made, in the zone of this machine where no zone is written.
  var date: Date? { moment(.day, .time) }

  /// The moment at which the bytes were made; it differs for a scan.
  var digitizedDate: Date? { moment(.digitalDay, .digitalTime) }

  private func moment(_ dayField: Field, _ timeField: Field) -> Date? {
    guard let day = digits(dayField, count: 8) else { return nil }
    let date = "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.dropFirst(6))"
    guard let time = digits(timeField, count: 6) else { return WrittenDate(date)?.date() }
    let clock = "\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4))"
    let zone = String(decoding: first(timeField)?.dropFirst(6) ?? [], as: UTF8.self)
    let written = WrittenDate("\(date)T\(clock)\(zone)") ?? WrittenDate("\(date)T\(clock)")
    return (written ?? WrittenDate(date))?.date()
  }

  // Escape, %, G: the switch to UTF-8.
  private var isUnicode: Bool { first(.characters) == [0x1B, 0x25, 0x47] }

  private func first(_ field: Field) -> [UInt8]? {
    fields.first { $0.field == field }?.bytes
  }

  private func text(_ bytes: [UInt8]) -> String? {
    isUnicode ? EmbeddedNote.text(bytes, in: .utf8) : EmbeddedNote.text(bytes)
  }

  private func digits(_ field: Field, count: Int) -> String? {
    guard let bytes = first(field)?.prefix(count), bytes.count == count,
      bytes.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Finds the records among image resources, each with a mark, a number, a name and a size.
  private static func records(in resources: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = resources[...]
    for _ in 0..<maximumCount {
      guard rest.count >= 12, rest.starts(with: "8BIM".utf8) else { return nil }
      let head = Array(rest.prefix(7))
      let nameByteCount = (Int(head[6]) + 2) / 2 * 2
      rest = rest.dropFirst(6 + nameByteCount)
      guard rest.count >= 4 else { return nil }
      let byteCount = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      if head[4] == 0x04, head[5] == 0x04 { return rest.prefix(byteCount) }
      guard byteCount < rest.count else { return nil }
      rest = rest.dropFirst(byteCount + byteCount % 2)
    }
    return nil
  }
}
