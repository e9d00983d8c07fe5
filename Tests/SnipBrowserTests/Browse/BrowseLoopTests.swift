import Foundation
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import TerminalKit
import Testing

@testable import SnipBrowser

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseLoopTests {
  // loop                    sink                test
  // first frame ──────────▶ holds it
  //          ◀───────────────────────────────── keys, in many turns
  //          ◀───────────── lets it go ◀─────── opens
  // newest frame ─────────▶ takes it
  @Test func `a link that is slow gets the newest frame, and none between`() async throws {
    let device = DeviceRecord()
    let screen = BrowseScreen(
      store: try await BrowseFixture.store(textCount: 60),
      size: device.size
    )
    let events = ScreenEvents()
    let sink = HeldSink(awaiting: "60/60")
    let loop = BrowseLoop(
      screen: screen,
      device: device,
      events: events,
      input: InputRecord(),
      writer: FrameWriter(sink: sink, events: events),
      allowsStyles: false
    )
    async let end: Void = loop.run()
    await sink.hasBegun.untilOpen()

    for _ in 0..<50 {
      events.post(.terminal(.key(.down)))
      for _ in 0..<5 { await Task.yield() }
    }
    events.post(.terminal(.key(.end)))
    for _ in 0..<5 { await Task.yield() }
    sink.open()
    await sink.hasComplete.untilOpen()
    events.post(.terminal(.key(.character("q"))))
    try await end

    #expect(sink.frameCount == 2 && device.calls == ["enter", "leave"])
    screen.close()
  }

  @Test func `a terminal that takes nothing ends it, and is left`() async throws {
    let screen = BrowseScreen(store: try await BrowseFixture.store(textCount: 3))
    let events = ScreenEvents()
    let device = DeviceRecord()
    let loop = BrowseLoop(
      screen: screen,
      device: device,
      events: events,
      input: InputRecord(),
      writer: FrameWriter(sink: BrokenSink(), events: events),
      allowsStyles: false
    )

    await #expect(throws: ConsoleError(stream: "the terminal", number: EIO)) {
      try await loop.run()
    }

    #expect(device.calls == ["enter", "leave"])
    screen.close()
  }

  // loop                 editor               input
  // lends, stops ──────────────────────────▶ q
  //          ───────────▶ runs
  //          ◀─────────── resized, waits
  // size     ───────────▶ ends
  // enters, q
  @Test func `a key that came before the editor had the terminal is taken after it`() async throws {
    let (programs, device) = (ScriptedPrograms(), DeviceRecord())
    var surroundings = BrowseSurroundings()
    surroundings.programs = programs
    let screen = BrowseScreen(
      store: try await BrowseFixture.store(textCount: 3),
      size: device.size,
      surroundings: surroundings
    )
    let events = ScreenEvents()
    let (hasTaken, hasEdited) = (Gate(), Gate())
    device.sizeHandler = { hasTaken.open() }
    programs.editing = { _ in
      events.post(.resized)
      hasTaken.blockUntilOpen()
      hasEdited.open()
      return 0
    }
    let loop = BrowseLoop(
      screen: screen,
      device: device,
      events: events,
      input: InputRecord { events.post(.terminal(.key(.character("q")))) },
      writer: FrameWriter(sink: EndlessSink(), events: events),
      allowsStyles: false
    )
    events.post(.terminal(.key(.character("e"))))

    try await loop.run()

    #expect(hasEdited.isOpen && device.calls == ["enter", "leave", "enter", "leave"])
    hasTaken.open()
    _ = await screen.finishChanges(isInterrupted: false)
    screen.close()
  }

  @Test func `of several sizes that came at once the last one is taken`() async throws {
    let device = DeviceRecord()
    let screen = BrowseScreen(
      store: try await BrowseFixture.store(textCount: 3),
      size: device.size
    )
    let (events, count) = (ScreenEvents(), Counter())
    device.sizeHandler = { count.add(1) }
    let loop = BrowseLoop(
      screen: screen,
      device: device,
      events: events,
      input: InputRecord(),
      writer: FrameWriter(sink: EndlessSink(), events: events),
      allowsStyles: false
    )
    for _ in 0..<9 { events.post(.resized) }
    events.post(.terminal(.key(.character("q"))))

    try await loop.run()

    #expect(count.value == 1)
    screen.close()
  }
}

/// Records what is asked of a terminal.
private final class DeviceRecord: ScreenDevice {
  /// Called whenever the size is asked for.
  var sizeHandler: () -> Void = {}
  private(set) var calls: [String] = []

  var size: ScreenSize {
    sizeHandler()
    return ScreenSize(columns: 40, lines: 12)
  }

  func enter() { calls.append("enter") }
  func leave() { calls.append("leave") }
  func suspend() { calls.append("suspend") }
}

/// Reads nothing, but for what is typed just before it stops for the first time.
private final class InputRecord: ScreenInput {
  private let last: Lock<(@Sendable () -> Void)?>

  init(last: (@Sendable () -> Void)? = nil) {
    self.last = Lock(last)
  }

  func start() {}
  func stop() { last.withLock { $0.take() }?() }
}

private struct EndlessSink: OutputSink {
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int { bytes.count }
}

/// Holds the first write until it is told to let it go.
private final class HeldSink: OutputSink {
  let hasBegun = Gate()
  let hasComplete = Gate()
  private let awaited: String
  private let held = Gate()
  private let frames = Lock<[String]>([])

  init(awaiting awaited: String) {
    self.awaited = awaited
  }

  var frameCount: Int { frames.withLock(\.count) }

  func open() { held.open() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    let isFirst = frames.withLock { frames in
      defer { frames.append(text) }
      return frames.isEmpty
    }
    if isFirst {
      hasBegun.open()
      held.blockUntilOpen()
    }
    if text.contains(awaited) { hasComplete.open() }
    return bytes.count
  }
}

private struct BrokenSink: OutputSink {
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int {
    throw OutputSinkError(number: EIO)
  }
}
