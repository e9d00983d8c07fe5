/// The presenters that are being called with fields, the innermost last.
///
/// A presenter may bind its own view again while it is called. The fields it was called with before
/// is out of date from there on.
@MainActor
enum PresenterUpdates {
  /// One presenter being told, known by how many others are at the same time.
  struct Depth {
    fileprivate let rawValue: Int
  }

  private static var running: [(presenter: ObjectIdentifier, isLatest: Bool)] = []

  /// Notes that a presenter is about to be called with fields; earlier ones are outdated.
  static func begin(_ presenter: AnyObject) -> Depth {
    let identity = ObjectIdentifier(presenter)
    for index in running.indices where running[index].presenter == identity {
      running[index].isLatest = false
    }
    running.append((identity, isLatest: true))
    return Depth(rawValue: running.count - 1)
  }

  /// Whether the presenter has not been called with anything newer.
  static func isLatest(at depth: Depth) -> Bool {
    running[depth.rawValue].isLatest
  }

  /// Notes that the innermost presenter has been called with all fields.
  static func end() {
    running.removeLast()
  }
}
