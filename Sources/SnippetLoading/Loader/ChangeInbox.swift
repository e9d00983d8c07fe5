import SnippetBase
internal import SnippetStorage

/// Carries changes from any thread to the main actor, once for a burst of them.
final class ChangeInbox: Sendable {
  private let isOpen = Lock(true)
  private let mailbox: MainMailbox
  private let observation = Lock<ChangeObservation?>(nil)

  init(_ list: any RowList, mailbox: MainMailbox) {
    self.mailbox = mailbox
    let observed = list.observeChanges { [weak self] in self?.note() }
    observation.withLock { $0 = observed }
  }

  /// Ends the observation.
  func close() {
    let observed = observation.withLock { observation in
      defer { observation = nil }
      return observation
    }
    // Outside of the lock: the feed may take a lock of its own.
    withExtendedLifetime(observed) {}
  }

  /// Lets the next change through, after the last one was handled.
  func reopen() {
    isOpen.withLock { $0 = true }
  }

  private func note() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { mailbox.post(.change) }
  }
}
