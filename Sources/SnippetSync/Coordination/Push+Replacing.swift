import Foundation
import GRDB
import SnippetStorage

extension Push {
  /// Writes log files without entries in place of those that a purge dropped, so that others can read on.
  ///
  /// All their entries are sent again in later ones.
  ///
  /// - Parameter state: The state of the store.
  /// - Throws: ``SyncError``: ``SyncError/cloned`` if another store wrote a file of this name.
  func replaceDropped(_ state: SyncState) async throws(SyncError) {
    let numbers = try await records.read { db in
      try db.numbers(
        "SELECT number FROM sync_outbox WHERE number > ? AND length(file) = ? ORDER BY number",
        [state.sent.databaseValue, DroppedFile.byteCount.databaseValue]
      )
    }
    for number in numbers { try await replaceDropped(number, state) }
  }

  private func replaceDropped(_ number: Int64, _ state: SyncState) async throws(SyncError) {
    guard let kept = try await keptFile(number), let dropped = DroppedFile(kept) else { return }
    let name = ObjectName.log(state.device, number: number)
    let object = try await repository.carrier.read(name.rawValue)
    let file: Data
    if let object, !dropped.isHash(of: object), try repository.isWithoutEntries(object, name) {
      // A process that ended before it noted this had written it.
      file = object
    } else {
      let devices = try await records.devices()
      let header = Self.header(name, state, devices, now: records.now())
      file = try repository.fileWithoutEntries(header)
      try await repository.carrier.write(file, as: name.rawValue, isNew: object == nil)
    }
    try await records.write { db in
      try db.run(
        "UPDATE sync_outbox SET file = ? WHERE number = ?",
        [file.databaseValue, number.databaseValue]
      )
    }
  }
}
