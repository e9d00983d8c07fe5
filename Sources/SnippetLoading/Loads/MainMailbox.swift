import SnippetBase
internal import SnippetStorage

/// What threads have to tell the main actor.
enum Mail: Sendable {
  /// A load came to something.
  case load(LoadDelivery)
  /// A load that cells wait for has come further.
  case progress(LoadKey)
  /// Rows were read.
  case rows(Result<RowUpdate, any Error>, RowRequest)
  /// Snippets have changed.
  case change
  /// Memory is shorter than before, or less short.
  case pressure(MemoryPressure)
}

/// Who takes mail on the main actor.
@MainActor
protocol MailRecipient: AnyObject {
  /// Whether this mail comes before others: it is for something on screen now.
  func isUrgent(_ mail: Mail) -> Bool
  func receive(_ mail: Mail)
}

/// Takes results from any thread to the main actor: one scheduled drain for a burst of them.
///
/// A drain delivers what is on screen first and stops when its time is used up; the rest follows in
/// another drain, in a later turn.
final class MainMailbox: Sendable {
  private struct State {
    var mails: [Mail] = []
    var isDrainScheduled = false
  }

  private let state = Lock(State())
  private let scheduler: any MainScheduler
  private let budget: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  @MainActor private weak var recipient: (any MailRecipient)?

  /// Makes a mailbox.
  ///
  /// - Parameters:
  ///   - scheduler: Brings a drain to the main actor.
  ///   - budget: How long a drain may take; it delivers one mail at least.
  ///   - now: Reads the clock.
  init(
    scheduler: any MainScheduler,
    budget: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.scheduler = scheduler
    self.budget = budget
    self.now = now
  }

  /// Names who takes the mail; without anybody it is thrown away.
  @MainActor
  func open(for recipient: some MailRecipient) {
    self.recipient = recipient
  }

  func post(_ mail: Mail) {
    let needsDrain = state.withLock { state in
      state.mails.append(mail)
      defer { state.isDrainScheduled = true }
      return !state.isDrainScheduled
    }
    if needsDrain { scheduleDrain() }
  }

  /// Delivers what has come, for as long as the budget lasts.
  @MainActor
  func drain() {
    let mails = state.withLock { state in
      defer { state.mails = [] }
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

  /// Delivers until the budget is used up, and returns what is left.
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
    scheduler.schedule { [weak self] in self?.drain() }
  }
}
