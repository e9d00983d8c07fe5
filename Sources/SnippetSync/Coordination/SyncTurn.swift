import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The turn of a process to synchronize a store, which others wait for.
///
/// It is the lock of an empty file beside the store, which ends with the process, however that ends.
/// A store in memory has no file, and no other process: there it is a mark of this one.
enum SyncTurn {
  private enum Turn: Sendable {
    case file(OpenFile)
    case memory(ObjectIdentifier)
  }

  /// The stores in memory that have a turn now.
  private static let storesInMemory = Lock<Set<ObjectIdentifier>>([])

  /// Takes the turn while `body` runs, and waits for it as long as the store waits for other writers.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - operation: The operation, as it follows “Could not”.
  ///   - body: The work.
  /// - Returns: The result of `body`.
  /// - Throws: ``SyncError`` with the store's error `busy` once that time is over, and that of `body`.
  static func hold<Result: Sendable>(
    of store: SnippetStore,
    to operation: String,
    _ body: () async throws(SyncError) -> Result
  ) async throws(SyncError) -> Result {
    let turn = try await take(of: store, operation)
    do {
      let result = try await body()
      await release(turn)
      return result
    } catch {
      await release(turn)
      throw error
    }
  }

  /// Waits for the turn.
  private static func take(
    of store: SnippetStore,
    _ operation: String
  ) async throws(SyncError) -> Turn {
    let end = WorkClock.now + store.configuration.busyTimeout
    while true {
      if let turn = try await free(store, operation) { return turn }
      guard WorkClock.now < end else {
        throw SyncError(
          of: SnippetStoreError(
            .busy,
            operation,
            because: store.url == nil
              ? "another call synchronizes the store" : "another program synchronizes the store",
            do: "Try again once it has finished."
          )
        )
      }
      do {
        try await Task.sleep(for: .milliseconds(50))
      } catch {
        throw SyncError(.cancelled, operation, because: "it was cancelled")
      }
    }
  }

  /// Takes the turn if it is free; otherwise returns `nil`.
  private static func free(
    _ store: SnippetStore,
    _ operation: String
  ) async throws(SyncError) -> Turn? {
    guard let url = store.url else {
      let id = ObjectIdentifier(store)
      let isFree = storesInMemory.withLock { $0.insert(id).inserted }
      return isFree ? .memory(id) : nil
    }
    let path = FileStatus.target(of: url.path) + "-sync"
    guard let file = try await lockedFile(path, operation) else { return nil }
    return .file(file)
  }

  private static func release(_ turn: Turn) async {
    switch turn {
    case .memory(let id): storesInMemory.withLock { _ = $0.remove(id) }
    case .file(let file):
      await OwnThreads.run {
        // As long as it is locked, only this process removes it.
        if (try? file.status())?.size == 0 { FileSystem.remove(file.path) }
        try? file.close()
      }
    }
  }

  /// Makes the file, or finds it, and locks it; `nil` if another has it.
  private static func lockedFile(
    _ path: String,
    _ operation: String
  ) async throws(SyncError) -> OpenFile? {
    do {
      return try await OwnThreads.result { () throws(SnippetStoreError) in
        // Whatever has bytes is none of this kind, and may be a store. An empty pipe would be removed
        // as if this had made it.
        guard FileStatus.byteCount(of: path) == 0, FileStatus.isRegular(path) != false else {
          throw SnippetStoreError(
            .invalidInput,
            operation,
            because: """
              \(path) is in the way, where the store has an empty file while it synchronizes
              """,
            keeping: "Nothing was changed.",
            do: "Give that file another name."
          )
        }
        do {
          let file = try OpenFile(
            path,
            .readWrite,
            options: [.create, .noFollow],
            permissions: .ownerReadWrite
          )
          // A file system that has no locks lets all go on.
          guard file.lock() || errno != EWOULDBLOCK else { return nil }
          // Another may have removed it in between.
          return FileIdentity(path: path) == FileIdentity(try file.status()) ? file : nil
        } catch {
          throw SnippetStoreError(error, during: operation)
        }
      }
    } catch {
      throw SyncError(of: error)
    }
  }
}
