import Foundation
import SnipCore
import TerminalKit

/// Runs a screen on a terminal, with keys in and frames out, until a key or a signal ends it.
@MainActor
final class BrowseLoop {
  /// The time without a key after which a movement has ended.
  private static let restDelay = Duration.milliseconds(200)

  private let screen: BrowseScreen
  private let device: any ScreenDevice
  private let events: ScreenEvents
  private let input: any ScreenInput
  private let writer: FrameWriter
  private var diff: FrameDiff
  /// The frame on the terminal; `nil` when it is not known.
  private var shown: Frame?
  private var isWriting = false
  private var isDue = true
  private var keyCount = 0
  /// The time since which the next frame is being made.
  private var start: ContinuousClock.Instant
  /// Whether another program has the terminal, or is about to.
  private var isLent = false
  /// Events that came before that, for afterwards.
  private var kept: [ScreenEvent] = []
  /// Whether the program was asked to end while another one had the terminal.
  private var isInterrupted = false
  /// Whether the terminal has been left for good.
  private var isOver = false

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - device: The terminal.
  ///   - events: The events to wait for.
  ///   - input: The source of keys, read during the run.
  ///   - writer: Writes to the terminal.
  ///   - allowsStyles: Whether to write styles.
  init(
    screen: BrowseScreen,
    device: any ScreenDevice,
    events: ScreenEvents,
    input: any ScreenInput,
    writer: FrameWriter,
    allowsStyles: Bool
  ) {
    self.screen = screen
    self.device = device
    self.events = events
    self.input = input
    self.writer = writer
    diff = FrameDiff(allowsStyles: allowsStyles)
    start = screen.surroundings.now()
    screen.work.changeHandler = { events.post(.changed) }
    screen.editing.terminalLender = { [weak self] body in await self?.lend(body) }
  }

  /// Runs until the user quits.
  ///
  /// - Throws: ``InterruptedError`` when the program was asked to end; ``ConsoleError`` when the
  ///   terminal accepts no frame.
  func run() async throws {
    device.enter()
    input.start()
    defer {
      isOver = true
      writer.end()
      input.stop()
      device.leave()
    }
    start = screen.surroundings.now()
    draw()
    while true {
      let waiting = await events.next()
      start = screen.surroundings.now()
      // Of several sizes only the last one counts.
      let size = waiting.lastIndex(of: .resized)
      for (place, event) in waiting.enumerated() where event != .resized || place == size {
        if try take(event) { return }
      }
      draw()
    }
  }

  /// Draws a frame if it differs and the one before has been written.
  private func draw() {
    guard isDue, !isWriting, !isLent else { return }
    isDue = false
    let frame = screen.frame()
    let bytes = screen.clipboard.takeOutgoing() + diff.bytes(from: shown, to: frame)
    shown = frame
    screen.noteFrameTime(screen.surroundings.now() - start)
    guard !bytes.isEmpty else { return }
    isWriting = true
    writer.write(bytes)
  }

  /// Handles an event.
  ///
  /// - Returns: Whether it ends the loop.
  private func take(_ event: ScreenEvent) throws -> Bool {
    if event != .written(failure: nil) { isDue = true }
    switch event {
    case .terminal where isLent: kept.append(event)
    case .terminal(.key(let key)): return try take(key)
    case .terminal(.paste(let text)): screen.paste(text)
    case .terminal(.mouse(let event)): screen.take(event)
    case .terminal(.offersSynchronization): diff.isSynchronized = true
    case .terminal(.offersSixels): screen.opened.offer(.sixels)
    case .terminal(.offersKittyPictures): screen.opened.offer(.kitty)
    case .inputEnded, .interrupted:
      guard isLent else { throw InterruptedError() }
      // The other program may have something unsaved.
      isInterrupted = true
    case .resized: screen.resize(to: device.size)
    case .suspended: if !isLent { suspend() }
    case .resumed:
      guard !isLent else { break }
      device.enter()
      redraw()
    case .changed: break
    case .rested(let number): if number == keyCount { screen.rest() }
    case .written(let failure):
      isWriting = false
      if let failure { throw ConsoleError(stream: "the terminal", number: failure) }
    }
    return false
  }

  private func take(_ key: Key) throws -> Bool {
    scheduleRest()
    switch screen.take(key) {
    case .quit: return true
    case .interrupt: throw InterruptedError()
    case .suspend: suspend()
    case .redraw: redraw()
    case nil: break
    }
    return false
  }

  private func suspend() {
    writer.end()
    device.suspend()
    // Time spent in the other program does not count.
    start = screen.surroundings.now()
    redraw()
  }

  /// Leaves the terminal to another program while some work runs.
  private func lend(_ work: @MainActor () async -> Void) async {
    guard !isOver else { return }
    isLent = true
    // Keys typed from now on belong to the other program, even if it takes a moment to start.
    input.stop()
    writer.end()
    device.leave()
    await work()
    isLent = false
    // The rest of the work continues without a screen.
    guard !isInterrupted else { return events.post(.interrupted) }
    guard !isOver else { return }
    for event in kept { events.post(event) }
    kept = []
    device.enter()
    input.start()
    redraw()
    events.post(.changed)
  }

  private func redraw() {
    shown = nil
    screen.resize(to: device.size)
  }

  private func scheduleRest() {
    keyCount += 1
    let (number, events) = (keyCount, events)
    Task {
      // It is not cancelled, and resting too early would do no harm.
      try? await Task.sleep(for: Self.restDelay)
      events.post(.rested(after: number))
    }
  }
}
