import SnippetBase

/// The loads that wait for a worker, most urgent first, and in order of sequence within a priority.
///
/// A load whose priority changes is added again, and its former ticket stays behind: the caller
/// that takes from the queue says which tickets are still valid.
struct LoadQueue: Sendable {
  struct Ticket: Sendable {
    let key: LoadKey
    let priority: LoadPriority
    let sequence: UInt64

    func precedes(_ other: Ticket) -> Bool {
      priority == other.priority ? sequence < other.sequence : priority > other.priority
    }
  }

  /// The most urgent last.
  private var tickets: [Ticket] = []

  /// The number of tickets, with those that are no longer valid.
  var count: Int { tickets.count }

  /// Adds a ticket.
  ///
  /// - Complexity: O(*n*) in the number of more urgent tickets, which move up in memory.
  mutating func add(_ ticket: Ticket) {
    let place = tickets.partitionPoint { ticket.precedes($0) }
    tickets.insert(ticket, at: place)
  }

  /// Finds the most urgent valid ticket, which stays in the queue, and throws away the invalid ones
  /// before it.
  ///
  /// - Complexity: O(1) for every ticket thrown away.
  mutating func first(where isValid: (Ticket) -> Bool) -> Ticket? {
    while let ticket = tickets.last, !isValid(ticket) { tickets.removeLast() }
    return tickets.last
  }

  /// Removes the most urgent ticket.
  mutating func removeFirst() { tickets.removeLast() }

  /// Replaces all tickets by new ones.
  mutating func replaceAll(with newTickets: [Ticket]) {
    tickets = newTickets.sorted { $1.precedes($0) }
  }
}

/// The places where loads run.
enum LoadLane: Int, CaseIterable, Hashable, Sendable {
  /// On a worker, which the load may block.
  case worker
  /// In a task of its own, which waits without holding a thread.
  case asynchronous
}

extension LoadLane {
  /// The most loads that run in a lane, and the number of places that take only visible loads.
  struct Limits: Hashable, Sendable {
    var count: Int
    var reservedForVisible: Int
  }

  /// The loads that wait and run in a lane.
  struct State: Sendable {
    var queue = LoadQueue()
    var running: Set<LoadID> = []
  }
}
