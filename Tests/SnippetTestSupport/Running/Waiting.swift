import Testing

/// Waits for an effect of another program that nothing announces, by checking again and again.
///
/// - Parameters:
///   - what: The expected effect, in words.
///   - deadline: The longest time to wait.
///   - isSo: Checks for the effect.
/// - Throws: ``NeverSo``, and errors of checking.
package func until(
  _ what: String,
  within deadline: Duration,
  isSo: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + deadline
  while !(try await isSo()) {
    guard ContinuousClock.now < end else { throw NeverSo(what: what, deadline: deadline) }
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// The expected effect did not happen.
package struct NeverSo: Error, CustomStringConvertible {
  package var what: String
  package var deadline: Duration

  package var description: String { "not within \(deadline): \(what)" }
}
