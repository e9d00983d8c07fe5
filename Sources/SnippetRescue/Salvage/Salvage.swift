import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Copies everything readable from a damaged store into a new one.
struct Salvage {
  let damaged: URL
  let destination: URL
  let operation: String
  /// See ``SalvageWalk/reach``; the default is the numbers of a few thousand pages.
  var reach: Int64 = 1 << 18
  let check: () throws -> Void
  let report: (StoreProgress) -> Void

  func run() throws -> SalvageReport {
    guard try StoreSeam.isPresent(at: damaged.path, during: operation) else {
      throw SnippetStoreError(
        .noSuchFile,
        operation,
        because: "there is no store at \(damaged.path)",
        do: "Check the path."
      )
    }
    let file = NewStoreFile(at: destination, operation: operation, check: check)
    try file.requireUsableDestination(besides: damaged.path)
    return try file.withPartialFile { new in
      try open(new).blockingClose()
      let found = try file.withPartialFile { partial in try fill(new, through: partial) }
      let written = try OpenFile(new)
      try written.synchronize()
      try written.close()
      try file.publish(new)
      return found
    }
  }

  /// Fills a new store from a copy of the damaged one.
  private func fill(
    _ new: String,
    through partial: String
  ) throws -> SalvageReport {
    // The log lies beside the target of a link.
    let damaged = FileStatus.target(of: damaged.path)
    let file = try SalvagedFile(copying: damaged, to: partial, check: check)
    let (source, isSchemaNew) = try file.open(besideNewStore: new, operation: operation)
    defer { try? source.close() }
    var found = try fill(new, from: source)
    // Under a store's schema, an arbitrary file has no snippets.
    guard !isSchemaNew || found.snippetCount + found.lost.count > 0 else {
      throw SnippetStoreError(
        .foreignFile,
        operation,
        because: "nothing of a store can be found in \(damaged)",
        do: "Give the path of a damaged store, or restore a backup."
      )
    }
    found.unreadableByteCount = file.unreadableByteCount
    return found
  }

  private func open(_ new: String) throws -> SnippetStore {
    var configuration = SnippetStore.Configuration()
    configuration.keepsReserve = false
    do throws(SnippetStoreError) {
      return try SnippetStore(at: URL(fileURLWithPath: new), configuration: configuration)
    } catch {
      // The file has a name of the moment, which says nothing to a person.
      throw error.during(operation)
    }
  }

  /// Fills a new store, and checks it.
  private func fill(
    _ new: String,
    from source: DatabaseQueue
  ) throws -> SalvageReport {
    let store = try open(new)
    defer { try? store.blockingClose() }
    let found = try source.unsafeRead { db in
      var run = try SalvageRun(
        source: SalvageSource(
          connection: source,
          walk: SalvageWalk(db: db, reach: reach, check: check),
          now: Date()
        ),
        seam: store.seam,
        operation: operation,
        report: report
      )
      return try run.run()
    }
    let checked = try store.seam.check(lookingAtSearchIndex: false, check: check) { _ in }
    guard checked.isSound else {
      throw SnippetStoreError(
        .failed,
        operation,
        because: "the new store does not pass the check: \(checked.problems[0].description)",
        keeping: "It was removed, and the damaged store is as it was.",
        do: "Restore a backup."
      )
    }
    // The log has the name of the unfinished file, and is not renamed with it.
    try store.seam.foldLog(to: operation)
    try store.blockingClose()
    return found
  }
}
