import Foundation
import SnipCore
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Synchronization
import TerminalKit
import Testing

@Suite(.timeLimit(.minutes(30)))
struct InterruptsTests {
  @Test func `the first request runs the actions, the second ends the process`() {
    let (actions, ends) = (Counter(), Counter())
    let interrupts = Interrupts { ends.increase() }
    interrupts.whenRequested { actions.increase() }
    interrupts.whenRequested { actions.increase() }

    interrupts.request()
    #expect(interrupts.isRequested)
    #expect((actions.value, ends.value) == (2, 0))

    interrupts.request()
    #expect((actions.value, ends.value) == (2, 1))
  }

  // this program            the other one
  // lends the keyboard
  //                         gets Ctrl-C, and ends
  // has the keyboard again
  // handles its signals
  @Test func `Ctrl-C while the keyboard is lent is for the other program, even if handled late`()
    async
  {
    await #expect(processExitsWith: .success) {
      let (taken, isTaken) = (Lock<[Int32]>([]), [SIGTERM: Gate(), SIGINT: Gate()])
      let watch = SignalWatch([SIGINT, SIGTERM]) { signal in
        taken.withLock { $0.append(signal) }
        isTaken[signal]?.open()
      }

      Interrupts {}.lendingKeyboard { _ in
        kill(getpid(), SIGINT)
        kill(getpid(), SIGTERM)
      }
      await isTaken[SIGTERM]?.untilOpen()
      #expect(taken.withLock { $0 } == [SIGTERM])

      kill(getpid(), SIGINT)
      await isTaken[SIGINT]?.untilOpen()
      #expect(taken.withLock { $0 } == [SIGTERM, SIGINT])
      watch.stop()
    }
  }

  @Test func `Ctrl-C ends the pager unless this program was started to ignore it`() async {
    await #expect(processExitsWith: .success) {
      for (handler, survives) in [(SIG_DFL, false), (SIG_IGN, true)] {
        signal(SIGINT, handler)
        let isStarted = try Interrupts {}.lendingKeyboard { signals in
          // Surviving, it reports that the pager could not be started.
          try PagerProcess(
            "kill -INT $$; exit 127",
            on: OutputDevice(isTerminal: false, environment: [:]),
            environment: [:],
            restoring: signals
          ).finish()
        }
        #expect(isStarted != survives)
      }
    }
  }

  @Test func `an action that comes late runs at once`() {
    let actions = Counter()
    let interrupts = Interrupts {}
    interrupts.request()

    interrupts.whenRequested { actions.increase() }

    #expect(actions.value == 1)
  }

  @Test func `long work stops where it asks`() throws {
    let interrupts = Interrupts {}
    try interrupts.throwIfRequested()

    interrupts.request()

    let error = try #require(throws: InterruptedError.self) { try interrupts.throwIfRequested() }
    #expect(error.status == .interrupted)
  }

  @Test func `a terminal that goes away asks once, however often that is told`() {
    let (actions, ends) = (Counter(), Counter())
    let interrupts = Interrupts { ends.increase() }
    interrupts.whenRequested { actions.increase() }

    interrupts.hangUp()
    interrupts.hangUp()
    #expect(interrupts.isRequested)
    #expect((actions.value, ends.value) == (1, 0))

    interrupts.request()
    #expect((actions.value, ends.value) == (1, 1))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal asks for the end and leaves the time for it`(number: Int32) async {
    await #expect(processExitsWith: .exitCode(42)) { [number] in
      let (interrupts, requested) = (Interrupts(), NumberGate())
      interrupts.whenRequested { requested.open() }
      let watch = watch(interrupts)

      kill(getpid(), number)
      requested.wait()

      watch.stop()
      exit(interrupts.isRequested ? 42 : 1)
    }
  }

  @Test func `the second Ctrl-C ends the process at once`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      let (interrupts, requested) = (Interrupts(), NumberGate())
      interrupts.whenRequested { requested.open() }
      let watch = watch(interrupts)

      kill(getpid(), SIGINT)
      requested.wait()
      kill(getpid(), SIGINT)

      // Work that never asks whether it should stop.
      NumberGate().wait()
      watch.stop()
    }
  }

  @Test func `after watching a signal ends the process as ever`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let watch = watch(Interrupts())
      watch.stop()

      kill(getpid(), SIGTERM)
      NumberGate().wait()
    }
  }

  @Test func `a signal that the process was started to ignore stays ignored`() async {
    await #expect(processExitsWith: .exitCode(42)) {
      signal(SIGINT, SIG_IGN)
      signal(SIGTERM, SIG_DFL)
      let (interrupts, requested) = (Interrupts(), NumberGate())
      interrupts.whenRequested { requested.open() }
      let watch = SignalWatch(interrupts)

      // Were SIGINT watched as well, there would be two requests, and the second one ends with 130.
      kill(getpid(), SIGINT)
      kill(getpid(), SIGTERM)
      requested.wait()

      watch.stop()
      exit(42)
    }
  }
}

/// Watches the signals as if the tests were run from a terminal.
private func watch(_ interrupts: Interrupts) -> SignalWatch {
  signal(SIGINT, SIG_DFL)
  signal(SIGTERM, SIG_DFL)
  signal(SIGHUP, SIG_DFL)
  return SignalWatch(interrupts)
}

/// A number that any thread may count up.
private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increase() { count.withLock { $0 += 1 } }
}
