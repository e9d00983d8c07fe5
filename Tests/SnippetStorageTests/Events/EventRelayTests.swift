import SnippetBase
import SnippetTestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct EventRelayTests {
  @Test func `events come one after the other in their order`() async {
    let told = Told<Int>()
    let relay = EventRelay<Int>(label: "test") { event, lostCount in told.take(event + lostCount) }

    for number in 0..<5_000 { relay.send(number) }
    await relay.flush()

    #expect(told.all == Array(0..<5_000))
  }

  // sender    0 ─▶ 1 2 3 (4 5 lost)        6
  // handler   0, held ──────────── let go ─ 1 2 3  6 with two lost before it
  @Test func `of a handler that is too slow the newest events wait in vain, and are counted`() async
  {
    let (told, arrived, held) = (Told<[Int]>(), NumberGate(), NumberGate())
    let relay = EventRelay<Int>(label: "test", capacity: 3) { event, lostCount in
      if event == 0 {
        arrived.open()
        held.wait()
      }
      told.take([event, lostCount])
    }
    relay.send(0)
    arrived.wait()

    for number in 1...5 { relay.send(number) }
    held.open()
    await relay.flush()
    relay.send(6)
    await relay.flush()

    #expect(told.all == [[0, 0], [1, 0], [2, 0], [3, 0], [6, 2]])
  }

  @Test func `a handler may send`() async {
    let told = Told<Int>()
    let relay = Lock<EventRelay<Int>?>(nil)
    let made = EventRelay<Int>(label: "test") { event, _ in
      told.take(event)
      if event < 3 { relay.withLock { $0 }?.send(event + 1) }
    }
    relay.withLock { $0 = made }

    made.send(0)

    for number in 0...3 { #expect(await told.next() == number) }
    relay.withLock { $0 = nil }
  }
}
