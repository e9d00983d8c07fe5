/// The loads that wait for a worker, most urgent first, and in order of sequence within a priority.
///
/// A load whose priority changes is added again, and its former ticket stays behind: the caller
/// that takes from the queue says which tickets are still valid.
struct LoadQueue: Sendable {
  struct Ticket: Sendable {
    let key: LoadKey
    let priority: LoadPriority
    let sequence: UInt64
  }

  /// One line for each priority, the least urgent first.
  private var lines = LoadPriority.allCases.map { _ in Line() }

  /// The number of tickets, with those that are no longer valid.
  var count: Int { lines.reduce(0) { $0 + $1.count } }

  /// Adds a ticket.
  ///
  /// - Complexity: O(1) for the latest sequence of its priority; otherwise O(*n*) in the number of
  ///   tickets behind it, which move up in memory.
  mutating func add(_ ticket: Ticket) {
    lines[Int(ticket.priority.rawValue)].add(ticket)
  }

  /// Finds the most urgent valid ticket, and throws away the invalid ones before it.
  ///
  /// - Parameter isValid: Returns whether a ticket is still valid.
  /// - Returns: The ticket, which stays in the queue; `nil` when none is valid.
  /// - Complexity: O(1) for every ticket thrown away.
  mutating func first(where isValid: (Ticket) -> Bool) -> Ticket? {
    for line in lines.indices.reversed() {
      while let ticket = lines[line].first {
        if isValid(ticket) { return ticket }
        lines[line].removeFirst()
      }
    }
    return nil
  }

  /// Removes the most urgent ticket.
  mutating func removeFirst() {
    if let line = lines.lastIndex(where: { $0.count > 0 }) { lines[line].removeFirst() }
  }

  /// Replaces all tickets by new ones.
  ///
  /// - Complexity: O(*n* log *n*) in the number of new tickets.
  mutating func replaceAll(with newTickets: [Ticket]) {
    for line in lines.indices { lines[line] = Line() }
    for ticket in newTickets.sorted(by: { $0.sequence < $1.sequence }) { add(ticket) }
  }
}

/// The tickets of one priority in order of sequence; those before `start` are gone.
private struct Line: Sendable {
  private var tickets: [LoadQueue.Ticket] = []
  private var start = 0

  var count: Int { tickets.count - start }

  var first: LoadQueue.Ticket? { count > 0 ? tickets[start] : nil }

  mutating func add(_ ticket: LoadQueue.Ticket) {
    var place = tickets.count
    if let last = tickets.last, last.sequence > ticket.sequence {
      place = start
      var end = tickets.count
      while place < end {
        let middle = place + (end - place) / 2
        if tickets[middle].sequence > ticket.sequence { end = middle } else { place = middle + 1 }
      }
    }
    tickets.insert(ticket, at: place)
  }

  mutating func removeFirst() {
    start += 1
    guard 2 * start >= tickets.count else { return }
    tickets.removeFirst(start)
    start = 0
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
