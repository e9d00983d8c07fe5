/// How a tiny world is made.
struct TrialSetting {
  /// The list, a letter for each row: capitals are photos, small letters texts.
  var rows = "AB"
  /// The row that is inserted at the top.
  var newcomer: Character = "X"
  /// Snippets that have the picture of another.
  var samePictures: [Character: Character] = [:]
  /// How many rows the screen shows.
  var viewport = 1
  /// How many loads may run; without bound if `nil`, as on a global queue.
  var workerCount: Int?
  /// Whether a worker takes a load only when the schedule says so.
  var isBusy = false
  /// Whether the list hears later that a cell has left the screen.
  var tellsLate = false
  /// Snippets whose loads fail until the source is mended.
  var broken: Set<Character> = []
  /// How often a load is tried.
  var attemptCount = 1
  /// How many pictures may be kept; without bound if `nil`.
  var memoryLimit: Int?

  /// Everything that can happen in such a world.
  var allEvents: [TrialEvent] {
    let names = Array(rows) + [newcomer]
    var events: [TrialEvent] = [.turn, .clear, .reuse(1), .reload, .tell, .reset, .insert, .mend]
    events += [
      .remove, .repaint(names[0]), .leave, .comeBack, .warn, .replace("A"), .edit(names[0]),
      .editInVain(names[0]),
    ]
    for position in 0..<rows.count { events += [.show(position), .prepare(position)] }
    for picture in Set(names.map { samePictures[$0] ?? $0 } + ["Z"]).sorted() {
      events += [.take(picture), .end(picture), .endLatest(picture)]
    }
    return events + [.close]
  }

  /// The most loads that ought to run at the same time, whatever the list does.
  static let crowd = 2
}
