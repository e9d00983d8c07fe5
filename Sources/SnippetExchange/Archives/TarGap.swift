/// The stretch between two members of a tar archive, or behind the last one.
///
/// Zeros mark the end, and a head that was overwritten with zeros looks like that.
struct TarGap {
  private static let blockByteCount: Int64 = 512

  /// The name of the member before it; `nil` at the start of the archive.
  private let name: String?
  /// The place up to which it was read.
  private(set) var end: Int64
  /// The bytes that belong to no member.
  private(set) var strayByteCount: Int64 = 0
  private var zeroByteCount: Int64 = 0
  /// Whether a mark of the end stands before the first byte that belongs to no member.
  private(set) var beginsWithMark = false

  init(behind name: String? = nil, at place: Int64 = 0) {
    (self.name, end) = (name, place)
  }

  /// Adds the zeros up to a place.
  mutating func addZeros(upTo place: Int64) {
    zeroByteCount += place - end
    end = place
    if strayByteCount == 0 { beginsWithMark = zeroByteCount >= 2 * Self.blockByteCount }
  }

  /// Adds what belongs to no member up to a place.
  mutating func addStray(upTo place: Int64) {
    strayByteCount += place - end
    end = place
  }

  /// Whether there is no mark of the end; half of one counts, which some programs write.
  var lacksMark: Bool { zeroByteCount < Self.blockByteCount }

  /// The damage in words, if a member stands behind; `nil` if there is none.
  var damage: String? {
    if strayByteCount > 0 { return "it is damaged \(place): \(strayWords)" }
    guard zeroByteCount > 0 else { return nil }
    return "zeros as at an end stand \(place) and further members behind them, so two archives "
      + "were joined, or a part was lost"
  }

  /// The bytes that belong to no member, in words.
  var strayWords: String { "\(strayByteCount) bytes there belong to no member" }

  /// The place in words.
  var place: String { name.map { "behind its member \($0)" } ?? "at its start" }
}
