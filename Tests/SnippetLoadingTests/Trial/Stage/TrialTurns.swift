/// The main queue: what runs in later turns of the main actor, one by one.
@MainActor
final class TrialTurns {
  private var works: [@MainActor () -> Void] = []

  var count: Int { works.count }

  func post(_ work: @escaping @MainActor () -> Void) { works.append(work) }

  func runNext() {
    guard !works.isEmpty else { return }
    works.removeFirst()()
  }
}
