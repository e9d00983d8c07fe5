/// The texts that a person can go back to, and forth again.
struct TextHistory: Hashable {
  /// The most texts, and the most bytes in them, that are kept besides the latest.
  private static let (countLimit, byteLimit) = (200, 32 << 20)

  /// The text of the last step.
  private(set) var current: String
  private var past: [String] = []
  private var future: [String] = []

  init(_ text: String) { current = text }

  /// Makes a step of a text that differs from the last.
  mutating func note(_ text: String) {
    guard !text.hasSameBytes(as: current) else { return }
    past.append(current)
    (current, future) = (text, [])
    var byteCount = past.reduce(0) { $0 + $1.utf8.count }
    while past.count > Self.countLimit || past.count > 1 && byteCount > Self.byteLimit {
      byteCount -= past.removeFirst().utf8.count
    }
  }

  /// The text before the last step, which becomes the current one; `nil` if there is none.
  mutating func undo() -> String? {
    guard let previous = past.popLast() else { return nil }
    future.append(current)
    current = previous
    return previous
  }

  /// The text after the current one, once that was gone back to; `nil` if there is none.
  mutating func redo() -> String? {
    guard let next = future.popLast() else { return nil }
    past.append(current)
    current = next
    return next
  }
}
