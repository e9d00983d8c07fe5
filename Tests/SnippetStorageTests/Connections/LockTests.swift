import Dispatch
import SnippetBase
import Testing

@Suite(.timeLimit(.minutes(30)))
struct LockTests {
  @Test func `threads that add under the lock lose nothing`() {
    let sum = Lock(0)

    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { sum.withLock { $0 += 1 } }
    }

    #expect(sum.withLock { $0 } == 80_000)
  }

  @Test func `an error leaves the lock free`() throws {
    struct Refusal: Error {}
    let value = Lock(1)

    #expect(throws: Refusal.self) {
      try value.withLock { (_: inout Int) throws(Refusal) in throw Refusal() }
    }
    #expect(value.withLock { $0 } == 1)
  }
}
