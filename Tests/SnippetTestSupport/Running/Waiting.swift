import Testing

/// Waits for what another program does and tells nobody: looks again and again until it is so.
///
/// - Parameters:
///   - what: What is waited for, in words.
///   - deadline: How long it may take.
///   - isSo: Looks.
/// - Throws: ``NeverSo``, and what looking throws.
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

/// What was waited for did not happen.
package struct NeverSo: Error, CustomStringConvertible {
  package var what: String
  package var deadline: Duration

  package var description: String { "not within \(deadline): \(what)" }
}
