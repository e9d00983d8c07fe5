import Testing

@testable import SnippetLoading

struct RetryPolicyTests {
  private var policy = RetryPolicy()

  private func delays(_ policy: RetryPolicy, chance: Double) -> [Duration?] {
    (1...policy.maximumAttemptCount).map { policy.delay(afterAttempt: $0, chance: chance) }
  }

  @Test func `each delay is a multiple of the one before and none follows the last attempt`() {
    var policy = policy
    policy.maximumAttemptCount = 6
    policy.firstDelay = .milliseconds(100)
    policy.growth = 2
    policy.maximumDelay = .seconds(1)

    let delays = delays(policy, chance: 0)

    let expected: [Duration?] = [100, 200, 400, 800, 1_000].map { .milliseconds($0) } + [nil]
    #expect(delays.count == expected.count)
    for (delay, expected) in zip(delays, expected) {
      let difference = (delay ?? .zero) - (expected ?? .zero)
      #expect((delay == nil) == (expected == nil) && abs(difference / .nanoseconds(1)) < 1_000)
    }
  }

  @Test(arguments: [0, 0.25, 0.5, 0.999])
  func `chance shortens a delay by no more than its part`(_ chance: Double) throws {
    var policy = policy
    policy.firstDelay = .seconds(1)
    policy.jitter = 0.5

    let delay = try #require(policy.delay(afterAttempt: 1, chance: chance))

    #expect(delay <= .seconds(1) && delay > .milliseconds(499))
    #expect(abs(delay / .seconds(1) - (1 - 0.5 * chance)) < 0.000_001)
  }

  @Test func `a great number of attempts stays within the longest delay`() {
    var policy = policy
    policy.maximumAttemptCount = .max
    policy.growth = 1_000

    #expect(policy.delay(afterAttempt: 1_000_000, chance: 0) == .seconds(10))
  }

  @Test func `values out of bounds are brought into them`() {
    var policy = policy
    policy.maximumAttemptCount = -1
    policy.firstDelay = .seconds(-1)
    policy.growth = .nan
    policy.maximumDelay = .seconds(-1)
    policy.jitter = 7
    policy.memory = .seconds(-1)

    #expect(policy.maximumAttemptCount == 1)
    #expect(policy.firstDelay == .zero)
    #expect(policy.growth == 1)
    #expect(policy.maximumDelay == .zero)
    #expect(policy.jitter == 1)
    #expect(policy.memory == .zero)
  }

  @Test func `one attempt is all there is without retries`() {
    #expect(RetryPolicy.none.delay(afterAttempt: 1, chance: 0) == nil)
    #expect(RetryPolicy.none.memory == .zero)
  }
}
