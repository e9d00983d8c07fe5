import CoreBenchmarks
import Foundation
import SnippetStorage

/// `snip browse` flung through a list on a terminal of its own: what a user gets, keys and frames
/// through the terminal included.
///
/// Three of four rows are pictures of a few pixels, each its own, which are decoded and drawn as any
/// other; every fourth is a text. A page key is held down: it comes thirty times a second, and the
/// longer it is held the further each goes, so that most rows are skipped and some hundred are
/// drawn. Nothing waits for a picture. The time from a key to the screen has the weather of the machine
/// in it, which `cat` on another terminal meets too; the browser's own count of its frames has less.
struct BrowseBenchmarks {
  private static let keyCount = 400
  private static let keyInterval = Duration.milliseconds(33)
  private static let goal = Goal.atMost(Quantity(.milliseconds(6)))

  let folder: URL
  let rowCount: Int

  func run(into table: Table) async throws {
    let file = folder.appendingPathComponent("browse.sqlite")
    try await fill(file)
    let browser = try BrowseTerminal(program: try ChildProcess.snip, store: file)
    let echo = try EchoTerminal()
    defer { echo.close() }
    table.begin("browse: flinging all rows")
    for row in try fling(browser, echo, "fling \(rowCount) rows") { try table.add(row) }
    // Every row holds the word: the pictures in their titles, the texts far behind their beginning.
    try browser.type("/harbour\r")
    table.begin("browse: flinging what a search found")
    for row in try fling(browser, echo, "fling \(rowCount) found") { try table.add(row) }
    try browser.close()
  }

  private func fling(
    _ browser: BrowseTerminal,
    _ echo: EchoTerminal,
    _ work: String
  ) throws -> [TableRow] {
    try browser.type("g")
    let formerByteCount = browser.byteCount
    var (ours, others): ([Duration], [Duration]) = ([], [])
    var key = Self.pageDown
    for _ in 0..<Self.keyCount {
      let end = ContinuousClock.now + Self.keyInterval
      ours.append(try browser.press(key))
      if let place = browser.place {
        if place.position == place.count { key = Self.pageUp }
        if place.position == 1 { key = Self.pageDown }
      }
      others.append(try echo.press())
      browser.watch(until: end)
    }
    let byteCount = Double(browser.byteCount - formerByteCount)
    try browser.type("")
    guard let frameTime = browser.frameTime else {
      throw RawError(message: "the browser tells nothing of its frames")
    }
    func row(_ name: String, _ percent: Int, _ goal: Goal) -> TableRow {
      func quantity(_ times: [Duration]) -> Quantity {
        Quantity(times.sorted()[times.count * percent / 100])
      }
      return TableRow(
        "\(work), \(name)",
        quantity(ours),
        against: "cat, which writes the key",
        quantity(others),
        goal: goal
      )
    }
    return [
      TableRow("\(work), frame p99", Quantity(frameTime), goal: Self.goal),
      row("key to screen p50", 50, .none),
      row("key to screen p99", 99, Self.goal),
      TableRow(
        "\(work), sent for each key",
        Quantity(byteCount / Double(Self.keyCount), .bytes),
        goal: .none
      ),
    ]
  }

  private static let pageDown = "\u{1B}[6~"
  private static let pageUp = "\u{1B}[5~"

  /// Saves the rows.
  private func fill(_ file: URL) async throws {
    let store = try await SnippetStore.open(at: file)
    let filler = Array(repeating: "some other words", count: 30).joined(separator: " ")
    try await store.save(
      contentsOf: (0..<rowCount).lazy.map { number in
        guard number % 4 == 3 else {
          let title = "Picture \(number) of the harbour"
          return SnippetDraft(.bytes(TinyPicture(number: number).bytes), title: title)
        }
        let text = "Note \(number) \(filler) harbour \(filler)"
        return SnippetDraft(.text(text), title: "Note \(number)")
      }
    )
    try await store.updateSearchIndex()
    try await store.close()
  }
}
