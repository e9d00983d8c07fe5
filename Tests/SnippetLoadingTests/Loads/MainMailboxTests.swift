import Foundation
@testable import SnippetLoading
import SnippetTesting
import Testing

@MainActor
struct MainMailboxTests {
  private let scheduler = ManualScheduler()
  private let clock = ManualClock()
  private let recipient = Recipient()
  private let mailbox: MainMailbox

  init() {
    let clock = clock
    mailbox = MainMailbox(
      schedule: scheduler.schedule,
      budget: .milliseconds(2),
      now: { clock.now }
    )
    mailbox.open(for: recipient)
  }

  private func post(_ blobs: ClosedRange<Int64>) {
    for blob in blobs {
      mailbox.post(mail(blob))
    }
  }

  @Test func `a burst is one scheduled drain`() {
    post(1...50)

    #expect(scheduler.scheduledCount == 1)
    scheduler.runAll()
    #expect(recipient.received.count == 50)
    #expect(scheduler.scheduledCount == 1)

    post(51...60)
    #expect(scheduler.scheduledCount == 2)
  }

  @Test func `what is on screen comes first and the rest in the order it came`() {
    recipient.urgent = [LoadKey(blob: 3), LoadKey(blob: 5)]
    post(1...5)

    scheduler.runAll()

    #expect(recipient.received == [3, 5, 1, 2, 4].map { LoadKey(blob: $0) })
  }

  @Test func `a drain stops when its time is used up and the next one goes on`() {
    let clock = clock
    recipient.onReceive = { clock.advance(by: .milliseconds(1)) }
    post(1...5)

    scheduler.runNext()
    #expect(recipient.received.count == 2)
    #expect(scheduler.pendingCount == 1)

    scheduler.runAll()
    #expect(recipient.received == (1...5).map { LoadKey(blob: $0) })
    #expect(scheduler.scheduledCount == 3)
  }

  @Test func `a drain delivers one at least however long it takes`() {
    let clock = clock
    recipient.onReceive = { clock.advance(by: .seconds(1)) }
    post(1...3)

    scheduler.runAll()

    #expect(recipient.received.count == 3)
    #expect(scheduler.scheduledCount == 3)
  }

  @Test func `what is posted from within a delivery comes in a later turn`() {
    let mailbox = mailbox
    recipient.onReceive = { [weak recipient] in
      guard recipient?.received.count == 1 else { return }
      mailbox.post(mail(9))
    }
    post(1...2)

    scheduler.runNext()
    #expect(recipient.received == [1, 2].map { LoadKey(blob: $0) })

    scheduler.runAll()
    #expect(recipient.received.last == LoadKey(blob: 9))
  }

  @Test func `a burst of changes is one mail, and a change during its delivery another`() {
    let mailbox = mailbox
    recipient.onReceive = { [weak recipient] in
      if recipient?.received.count == 1 { mailbox.post(.change) }
    }
    for _ in 1...50 { mailbox.post(.change) }

    scheduler.runAll()

    #expect(recipient.received.count == 2)
  }

  @Test func `without a recipient mail is thrown away`() {
    let mailbox = MainMailbox(schedule: scheduler.schedule, budget: .zero, now: { .now })
    mailbox.post(mail(1))

    scheduler.runAll()

    #expect(scheduler.scheduledCount == 1)
  }
}

@MainActor
private final class Recipient: MailRecipient {
  var urgent: Set<LoadKey> = []
  var received: [LoadKey] = []
  var onReceive: () -> Void = {}

  func isUrgent(_ mail: Mail) -> Bool { urgent.contains(key(of: mail)) }

  func receive(_ mail: Mail) {
    received.append(key(of: mail))
    onReceive()
  }
}

private func mail(_ blob: Int64) -> Mail {
  let key = LoadKey(blob: blob)
  let result = LoadResult.loaded(LoadedBlob(key: key, bytes: Data()))
  return .load(LoadDelivery(key: key, tokens: [], result: result, run: LoadID(rawValue: 1)))
}

private func key(of mail: Mail) -> LoadKey {
  if case .load(let delivery) = mail { delivery.key } else { LoadKey(blob: 0) }
}
