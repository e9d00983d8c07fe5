import Foundation
import SnippetStorage
import SnippetTestSupport

/// What lists must hold, worked out the plain way: an array, filtered and sorted.
struct ListModel {
  var rows: [SnippetID: SnippetRow] = [:]

  func rows(_ filter: SnippetFilter, _ order: SnippetOrder) -> [SnippetRow] {
    rows.values
      .filter { Self.holds(filter, $0) }
      // Folded once for each row, and not for each comparison.
      .map { row -> Titled in (row, order.key == .title ? Array(Self.folded(row.title).utf8) : []) }
      .sorted { Self.precedes($0, $1, order) }
      .map(\.row)
  }

  private typealias Titled = (row: SnippetRow, title: [UInt8])

  private static func holds(_ filter: SnippetFilter, _ row: SnippetRow) -> Bool {
    let tags = Set(row.tags.map(folded))
    return filter.isInTrash == (row.deletedAt != nil)
      && filter.kinds.map { $0.contains(row.kind) } ?? true
      && filter.isPinned.map { $0 == row.isPinned } ?? true
      && filter.createdAt.map { $0.contains(row.createdAt) } ?? true
      && filter.tags.allSatisfy { tag in
        tags.contains { ($0 + "/").hasPrefix(folded(tag) + "/") }
      }
      && filter.query.map { holds($0, row) } ?? true
  }

  private static func holds(_ query: SearchQuery, _ row: SnippetRow) -> Bool {
    guard let condition = RandomSnippets.conditions.first(where: { $0.query == query }) else {
      preconditionFailure("the model does not know \(query.text)")
    }
    return condition.holds(row)
  }

  private static func precedes(_ lhs: Titled, _ rhs: Titled, _ order: SnippetOrder) -> Bool {
    let (lower, upper) = order.isDescending ? (rhs, lhs) : (lhs, rhs)
    let (first, second) = (lower.row, upper.row)
    switch order.key {
    case .created:
      return (first.createdAt, first.id) < (second.createdAt, second.id)
    case .modified:
      return (first.modifiedAt, first.id) < (second.modifiedAt, second.id)
    case .size:
      return (first.byteCount, first.id) < (second.byteCount, second.id)
    case .deleted:
      // What is not in the trash has no such date.
      return (first.deletedAt ?? first.createdAt, first.id)
        < (second.deletedAt ?? second.createdAt, second.id)
    case .title:
      return lower.title == upper.title
        ? first.id < second.id : lower.title.lexicographicallyPrecedes(upper.title)
    }
  }

  /// The text with the capital letters of ASCII made small.
  private static func folded(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
        }
      )
    )
  }
}

extension SnippetOrder {
  static let all = Key.allCases.flatMap { key in
    [false, true].map { SnippetOrder(by: key, isDescending: $0) }
  }
}

/// Drafts, changes and filters by chance, of few values, so that many are equal.
struct RandomSnippets {
  var random: SeededGenerator

  static let tags = [
    "home", "home/den", "Work", "work/a/b", "œuvre", "a b", "レシピ", "rare", "rarely",
  ]
  private static let titles = [
    "", "a", "A", "b", "B", "aa", "Aa", "a b", "é", "É", "e\u{301}", "ß", "z", "Z", "[", "`", "_",
    "あ", "牛乳", "👩‍👩‍👧", "🇩🇪", "🇩🇪x", "\u{FFFD}", "\u{10FFFF}", "Привет", "привет", "0", "10", "9",
  ]

  /// Conditions that stand in a filter as they are, with what they mean.
  static let conditions: [(query: SearchQuery, holds: @Sendable (SnippetRow) -> Bool)] = [
    (.size(atLeast: 20), { $0.byteCount >= 20 }),
    (!.tag("home"), { row in !row.tags.contains { ["home", "home/den"].contains($0) } }),
    (!.tag("home", isExact: true), { !$0.tags.contains("home") }),
    (
      .tag("WORK") || .isPinned,
      { row in row.tags.contains { ["Work", "work/a/b"].contains($0) } || row.isPinned }
    ),
    (
      !(.size(atMost: 30) && .kind(.text)) || .tag("rare"),
      { $0.byteCount > 30 || $0.kind != .text || $0.tags.contains("rare") }
    ),
    (
      !.created(from: Date(timeIntervalSince1970: -49_999.998)) || .kind(.image),
      { $0.createdAt < Date(timeIntervalSince1970: -49_999.998) || $0.kind == .image }
    ),
  ]

  mutating func draft() -> SnippetDraft {
    let title = title()
    let tags = tags()
    let isPinned = random.chance(0.2)
    let bytes = Samples.bytes(1 + random.below(50), seed: UInt64(random.below(40)))
    switch random.below(4) {
    case 0:
      return Samples.image(bytes, title: title, tags: tags, isPinned: isPinned, createdAt: date())
    case 1:
      return Samples.voice(bytes, title: title, tags: tags, isPinned: isPinned, createdAt: date())
    default:
      return SnippetDraft(
        .text(random.element(of: Samples.texts)),
        title: title,
        tags: tags,
        isPinned: isPinned,
        createdAt: date()
      )
    }
  }

  mutating func changes() -> SnippetEdit {
    SnippetEdit(
      title: random.chance(0.5) ? title() : nil,
      isPinned: random.chance(0.3) ? random.chance(0.5) : nil,
      addedTags: tags(),
      removedTags: tags()
    )
  }

  mutating func filter() -> SnippetFilter {
    var filter = SnippetFilter()
    if random.chance(0.4) {
      filter.kinds = Set(SnippetKind.allCases.filter { _ in random.chance(0.5) })
    }
    if random.chance(0.4) {
      filter.tags = Set(tags().map { random.chance(0.5) ? $0 : $0.uppercased() })
    }
    if random.chance(0.3) { filter.isPinned = random.chance(0.5) }
    filter.isInTrash = random.chance(0.2)
    if random.chance(0.4),
      let narrowed = filter.narrowed(by: random.element(of: Self.conditions).query)
    {
      filter = narrowed
    }
    if random.chance(0.3) {
      let bounds = [date(), date()].sorted()
      filter.createdAt = bounds[0]..<bounds[1]
    }
    return filter
  }

  /// A moment of a few, to the millisecond; some are before 1970.
  mutating func date() -> Date {
    let milliseconds = random.chance(0.5) ? random.below(5) : random.below(100_000) * 7919
    return Date(timeIntervalSince1970: Double(milliseconds - 50_000_000) / 1000)
  }

  private mutating func title() -> String {
    random.element(of: Self.titles) + (random.chance(0.2) ? random.element(of: Self.titles) : "")
  }

  private mutating func tags() -> [String] {
    Self.tags.filter { random.chance($0 == "rare" ? 0.03 : 0.2) }
  }
}
