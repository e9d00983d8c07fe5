/// The presenters that are being told of fields, the innermost last.
///
/// A presenter may cause another bind of its own view from within. What it was being told of before
/// is out of date from there on.
@MainActor
enum PresenterUpdates {
  /// One presenter being told, known by how many others are at the same time.
  struct Depth {
    fileprivate let rawValue: Int
  }

  private static var running: [(presenter: ObjectIdentifier, isLatest: Bool)] = []

  /// Notes that a presenter is told of fields from now on; what it was being told of is outdated.
  static func begin(_ presenter: AnyObject) -> Depth {
    let identity = ObjectIdentifier(presenter)
    for index in running.indices where running[index].presenter == identity {
      running[index].isLatest = false
    }
    running.append((identity, isLatest: true))
    return Depth(rawValue: running.count - 1)
  }

  /// Whether the presenter has not been told of anything newer.
  static func isLatest(at depth: Depth) -> Bool {
    running[depth.rawValue].isLatest
  }

  /// Notes that the innermost presenter has been told of all.
  static func end() {
    running.removeLast()
  }
}
