import SnippetBase
internal import SnippetStorage

/// The messages that threads send to the main actor.
enum Mail: Sendable {
  /// The result of a load.
  case load(LoadDelivery)
  /// Progress of a load that cells wait for.
  case progress(LoadKey)
  /// Rows that were read.
  case rows(Result<RowUpdate, any Error>, RowRequest)
  /// A change of snippets.
  case change
  /// A change of the memory pressure.
  case pressure(MemoryPressure)
}

/// Receives mail on the main actor.
@MainActor
protocol MailRecipient: AnyObject {
  /// Whether this mail comes before others, because something on screen waits for it.
  func isUrgent(_ mail: Mail) -> Bool
  func receive(_ mail: Mail)
}

/// Carries results from any thread to the main actor, with one scheduled drain for a burst of them.
///
/// A drain delivers the mail for the screen first and stops when its time is used up; the rest
/// follows in another drain, in a later turn.
final class MainMailbox: Sendable {
  private struct State {
    var mails: [Mail] = []
    var isDrainScheduled = false
    /// Whether a change waits that no drain has taken; it stands for all that follow until then.
    var hasChange = false
  }

  private let state = Lock(State())
  private let schedule: LoaderEnvironment.Schedule
  private let budget: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  @MainActor private weak var recipient: (any MailRecipient)?

  /// Makes a mailbox whose drains take at most the budget, but deliver at least one message.
  init(
    schedule: @escaping LoaderEnvironment.Schedule,
    budget: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.schedule = schedule
    self.budget = budget
    self.now = now
  }

  /// Sets the receiver of the mail; without one, mail is thrown away.
  @MainActor
  func open(for recipient: some MailRecipient) {
    self.recipient = recipient
  }

  func post(_ mail: Mail) {
    let needsDrain = state.withLock { state in
      if case .change = mail {
        if state.hasChange { return false }
        state.hasChange = true
      }
      state.mails.append(mail)
      defer { state.isDrainScheduled = true }
      return !state.isDrainScheduled
    }
    if needsDrain { scheduleDrain() }
  }

  /// Delivers waiting mail, for as long as the budget lasts.
  @MainActor
  func drain() {
    let mails = state.withLock { state in
      defer { (state.mails, state.hasChange) = ([], false) }
      return state.mails
    }
    let rest = deliver(mails)
    let needsDrain = state.withLock { state in
      state.mails.insert(contentsOf: rest, at: 0)
      state.isDrainScheduled = !state.mails.isEmpty
      return state.isDrainScheduled
    }
    if needsDrain { scheduleDrain() }
  }

  /// Delivers mail until the budget is used up, and returns the rest.
  @MainActor
  private func deliver(_ mails: [Mail]) -> ArraySlice<Mail> {
    guard let recipient else { return [] }
    let end = now() + budget
    var ordered: [Mail] = []
    var later: [Mail] = []
    for mail in mails {
      if recipient.isUrgent(mail) { ordered.append(mail) } else { later.append(mail) }
    }
    ordered += later
    for (index, mail) in ordered.enumerated() {
      if index > 0, now() >= end { return ordered[index...] }
      recipient.receive(mail)
    }
    return []
  }

  private func scheduleDrain() {
    schedule { [weak self] in self?.drain() }
  }
}
