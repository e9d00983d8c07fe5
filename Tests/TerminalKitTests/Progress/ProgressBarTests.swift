import Synchronization
import SnippetTestSupport
import Testing

@testable import TerminalKit

struct ProgressBarTests {
  private let clock = ManualClock()
  private let sink = RecordingSink()

  @Test func `the bar is drawn over and erased at the end`() {
    let bar = bar(on: .terminal(width: 62))

    bar.update(progress(142, of: 568, bytes: 1_000_000))
    clock.advance(by: .seconds(2))
    bar.update(progress(284, of: 568, bytes: 24_600_000))
    bar.finish()

    #expect(
      sink.text
        == "\rImporting [#######.......................]  142/568  25%\u{1B}[K"
        + "\rImporting [######......]  284/568  50%  12.3 MB/s  ETA 0:02\u{1B}[K"
        + "\r\u{1B}[K"
    )
  }

  @Test func `a hundred updates in a second draw the bar ten times`() {
    let bar = bar(on: .terminal(width: 60))

    for number in 0..<100 {
      bar.update(progress(number, of: 100))
      clock.advance(by: .milliseconds(10))
    }

    #expect(sink.text.split(separator: "\r").count == 10)
  }

  @Test(arguments: 0...120) func `the bar never fills the terminal's line`(width: Int) {
    let bar = bar(on: .terminal(width: width), title: "取り込み中")
    clock.advance(by: .seconds(3))

    bar.update(progress(123_456, of: 1_000_000, bytes: 9_999_999_999, duplicates: 12))

    let drawn = sink.text.dropFirst().prefix { $0 != "\u{1B}" }
    #expect(drawn.displayWidth <= max(0, width - 3))
  }

  @Test func `what matters least is left out first`() {
    let line = ProgressLine(
      title: "Importing",
      progress: progress(123, of: 568, bytes: 37_000_000, duplicates: 7),
      elapsed: .seconds(3)
    )

    #expect(
      [100, 70, 60, 45, 40, 25, 20, 12].map(line.text) == [
        "Importing [######........................]  123/568  21%  12.3 MB/s  ETA 0:11  7 duplicates",
        "Importing [####...................]  123/568  21%  12.3 MB/s  ETA 0:11",
        "Importing [##...........]  123/568  21%  12.3 MB/s  ETA 0:11",
        "Importing [####...............]  123/568  21%",
        "Importing [###...........]  123/568  21%",
        "Importing  123/568  21%",
        "Importing  123/568",
        "123/568",
      ]
    )
  }

  @Test func `without a total the line counts`() {
    let line = ProgressLine(
      title: "Importing",
      progress: WorkProgress(completedCount: 123, byteCount: 37_000_000),
      elapsed: .seconds(3)
    )

    #expect(line.text(fitting: 80) == "Importing  123  12.3 MB/s")
  }

  @Test func `work without files counts bytes`() {
    let line = ProgressLine(
      title: "Checking",
      progress: WorkProgress(byteCount: 37_000_000, totalByteCount: 100_000_000),
      elapsed: .zero
    )

    #expect(line.text(fitting: 44) == "Checking [####........]  37.0 MB/100 MB  37%")
  }

  @Test func `bytes tell more than files how much is done`() {
    let progress = WorkProgress(
      completedCount: 99,
      totalCount: 100,
      byteCount: 10,
      totalByteCount: 100
    )

    #expect(progress.fraction == 0.1)
    #expect(WorkProgress(completedCount: 5, totalCount: 0).fraction == nil)
    #expect(WorkProgress(completedCount: 5, totalCount: 4).fraction == 1)
  }

  @Test func `the end is not announced before it is there`() {
    let line = ProgressLine(title: "T", progress: progress(9999, of: 10_000), elapsed: .zero)

    #expect(line.text(fitting: 80).hasSuffix("9999/10000  99%"))
  }

  @Test func `a title cannot act on the terminal`() {
    let line = ProgressLine(title: "\u{1B}[2J\nx", progress: WorkProgress(), elapsed: .zero)

    #expect(line.text(fitting: 80) == "␛[2J x  0")
  }

  @Test func `a line without a limit is no wider than it needs to be`() {
    let line = ProgressLine(title: "", progress: WorkProgress(), elapsed: .zero)

    #expect(line.text(fitting: .max) == "  0")
  }

  @Test(arguments: [OutputDevice.pipe, .terminal(width: 80, environment: ["TERM": "dumb"])])
  func `where lines cannot be drawn over nothing is shown`(device: OutputDevice) {
    let bar = bar(on: device)

    bar.update(progress(1, of: 2))
    bar.finish()
    bar.interrupt()

    #expect(sink.text == "")
  }

  @Test func `plain lines come every five seconds and at the end`() {
    let bar = bar(on: .pipe, style: .plain)

    for number in 0..<12 {
      bar.update(progress(number, of: 12))
      clock.advance(by: .seconds(1))
    }
    bar.finish()
    bar.finish()

    #expect(
      sink.text
        == """
        Importing [############..................]   5/12  41%  1/s  ETA 0:07
        Importing [#########################.....]  10/12  83%  1/s  ETA 0:02
        Importing [###########################...]  11/12  91%  1/s  ETA 0:01

        """
    )
  }

  @Test func `an interrupted bar stays on the screen and ends its line`() {
    let bar = bar(on: .terminal(width: 42))

    bar.update(progress(1, of: 4))
    bar.update(progress(2, of: 4))
    bar.interrupt()
    bar.update(progress(3, of: 4))
    bar.finish()

    #expect(
      sink.text
        == "\rImporting [####.............]  1/4  25%\u{1B}[K"
        + "\rImporting [########.........]  2/4  50%\u{1B}[K\n"
    )
  }

  @Test func `a bar that was never drawn leaves no empty line`() {
    let bar = bar(on: .terminal(width: 42))

    bar.interrupt()
    bar.finish()

    #expect(sink.text == "")
  }

  @Test func `a message is printed above the bar`() {
    let bar = bar(on: .terminal(width: 42))

    bar.writeLine("before")
    bar.update(progress(1, of: 4))
    bar.writeLine("between")
    bar.finish()
    bar.writeLine("after")

    let drawn = "\rImporting [####.............]  1/4  25%\u{1B}[K"
    #expect(
      sink.text == "before\n\(drawn)\r\u{1B}[Kbetween\n\(drawn)\r\u{1B}[Kafter\n"
    )
  }

  private func bar(
    on device: OutputDevice,
    title: String = "Importing",
    style: ProgressBar.Style = .auto
  ) -> ProgressBar {
    ProgressBar(
      title: title,
      on: MessageStream(sink: sink, device: device),
      style: style,
      now: { [clock] in clock.now }
    )
  }

  private func progress(
    _ completed: Int,
    of total: Int,
    bytes: Int64 = 0,
    duplicates: Int = 0
  ) -> WorkProgress {
    WorkProgress(
      completedCount: completed,
      totalCount: total,
      byteCount: bytes,
      counters: [WorkProgress.Counter(name: "duplicates", count: duplicates)]
    )
  }
}

/// A clock that stands still until it is moved.
private final class ManualClock: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  func advance(by duration: Duration) {
    instant.withLock { $0 = $0.advanced(by: duration) }
  }
}
