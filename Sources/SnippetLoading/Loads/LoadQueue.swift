internal import HeapModule

/// The loads that wait for a worker, most urgent first, within a priority in order of sequence.
///
/// A load whose priority changes is added again, and its former ticket stays behind: the taker
/// from the queue says which tickets still hold.
struct LoadQueue: Sendable {
  struct Ticket: Comparable, Sendable {
    let key: LoadKey
    let priority: LoadPriority
    let sequence: UInt64

    static func < (lhs: Self, rhs: Self) -> Bool {
      // The greatest ticket is taken first: the highest priority, then the lowest sequence.
      (lhs.priority, rhs.sequence) < (rhs.priority, lhs.sequence)
    }
  }

  private var tickets = Heap<Ticket>()

  /// The number of tickets, those that no longer hold included.
  var count: Int { tickets.count }

  mutating func add(_ ticket: Ticket) {
    tickets.insert(ticket)
  }

  /// The most urgent ticket that holds; those before it that do not are thrown away.
  ///
  /// - Parameter isValid: Tells whether a ticket still holds.
  /// - Returns: The ticket, which stays in the queue, or `nil` when none holds.
  /// - Complexity: O(log *n*) for every ticket thrown away.
  mutating func first(where isValid: (Ticket) -> Bool) -> Ticket? {
    while let ticket = tickets.max {
      if isValid(ticket) { return ticket }
      tickets.removeMax()
    }
    return nil
  }

  mutating func removeFirst() {
    _ = tickets.popMax()
  }

  /// Puts these tickets in place of all others.
  mutating func replaceAll(with newTickets: [Ticket]) {
    tickets = Heap(newTickets)
  }
}
