import Foundation
import GRDB
import SnippetBase
public import SnippetStorage

extension StoreSync {
  /// Follows the state of a store's synchronization, whichever process synchronizes.
  ///
  /// The first state comes at once, `nil` while the store has not joined a repository. Another one
  /// comes when it differs: about a second after an edit, and within ten seconds after a
  /// synchronization that changed no snippet. The sequence ends when the task is cancelled or the
  /// store is closed.
  ///
  /// ```swift
  /// for await status in StoreSync.statuses(of: store) {
  ///   print(status?.unsentCount ?? 0)
  /// }
  /// ```
  ///
  /// - Parameter store: The store.
  /// - Returns: The states.
  public static func statuses(of store: SnippetStore) -> AsyncStream<SyncStatus?> {
    statuses(of: store, restingFor: .seconds(1), lookingEach: .seconds(9))
  }

  static func statuses(
    of store: SnippetStore,
    restingFor rest: Duration,
    lookingEach interval: Duration
  ) -> AsyncStream<SyncStatus?> {
    AsyncStream(SyncStatus?.self) { continuation in
      let task = Task {
        let records = SyncRecords(store: store)
        var known: SyncRecords.Mark?
        while !Task.isCancelled {
          do {
            let mark = try await records.mark()
            if mark != known {
              continuation.yield(try await records.status())
              known = mark
            }
          } catch {
            let reason = (error as? SyncError)?.underlyingError as? SnippetStoreError
            if reason?.code == .closed { break }
          }
          // Counting what is not sent looks at every blob, so a burst of edits is counted once.
          try? await Task.sleep(for: rest)
          await wait(forChangeIn: store, atMost: interval)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Waits until a change of the store, or for a while.
  private static func wait(forChangeIn store: SnippetStore, atMost limit: Duration) async {
    await wait(atMost: limit) {
      do {
        let last = try await store.lastChange
        for try await _ in store.changeBatches(after: last) { return }
      } catch {
        try? await Task.sleep(for: limit)
      }
    }
  }
}

extension SyncRecords {
  /// The numbers that move whenever the state of a synchronization may differ.
  struct Mark: Hashable, Sendable {
    var lastChange: Int64?
    var repository: Data?
    /// It is another one once the store has joined again, and the place once it has left.
    var device: Data?
    var place: String?
    var sealed: Int64?
    var sent: Int64?
    var synchronizedAt: Int64?
    /// The number of log files that have come, of all devices.
    var receivedCount: Int64?
    /// The number of snippets that wait, at most a few: more come or go with a log file or a change.
    var waitingCount: Int64 = 0
  }

  /// Reads the mark: two rows, those of the devices, and some of what waits.
  func mark() async throws(SyncError) -> Mark {
    try await read { db in
      let state = try db.value(
        "SELECT repository, device, place, sealed, sent, synced_at FROM sync_state"
      ) { row in
        Mark(
          repository: try row.bytes(0),
          device: try row.bytes(1),
          place: try row.text(2),
          sealed: try row.number(3),
          sent: try row.number(4),
          synchronizedAt: try row.optionalNumber(5)
        )
      }
      var mark = state ?? Mark()
      // No damage makes the sum too great.
      mark.receivedCount = try db.number("SELECT sum(applied & 0xFFFFFFFF) FROM sync_device")
      mark.waitingCount = try UnreadEntry.waitingCount(upTo: 200, in: db)
      mark.lastChange = try db.number("SELECT seq FROM sqlite_sequence WHERE name = 'change'")
      return mark
    }
  }
}
