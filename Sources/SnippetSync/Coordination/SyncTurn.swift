import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The turn of a process to synchronize a store, which others wait for.
///
/// It is the lock of an empty file beside the store, which ends with the process, however that ends.
/// A store in memory has no file, and no other process.
enum SyncTurn {
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
    guard let file = try await file(of: store, operation) else { return try await body() }
    do {
      let result = try await body()
      await release(file)
      return result
    } catch {
      await release(file)
      throw error
    }
  }

  /// Waits for the file; `nil` for a store in memory.
  private static func file(
    of store: SnippetStore,
    _ operation: String
  ) async throws(SyncError) -> OpenFile? {
    guard let url = store.url else { return nil }
    let path = FileStatus.target(of: url.path) + "-sync"
    let end = WorkClock.now + store.configuration.busyTimeout
    while true {
      if let file = try await lockedFile(path, operation) { return file }
      guard WorkClock.now < end else {
        throw SyncError(
          of: SnippetStoreError(
            .busy,
            operation,
            because: "another program synchronizes the store",
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

  private static func release(_ file: OpenFile) async {
    await OwnThreads.run {
      // As long as it is locked, only this process removes it.
      if (try? file.status())?.size == 0 { FileSystem.remove(file.path) }
      try? file.close()
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
