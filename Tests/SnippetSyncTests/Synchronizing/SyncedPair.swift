import SnippetStorage

@testable import SnippetSync

/// Two stores that have joined one place.
struct SyncedPair {
  let laptop: SyncedStore
  var phone: SyncedStore

  init(_ place: MemoryPlace = MemoryPlace()) async throws {
    laptop = try await SyncedStore("laptop", place)
    phone = try await SyncedStore("phone", place, key: laptop.sync.key)
  }

  /// Lets both have all of each other.
  func meet() async throws {
    for device in [laptop, phone, laptop, phone] { try await device.synchronize() }
  }

  /// Saves a snippet on the laptop, and returns it as each store has it.
  func share(
    _ draft: SnippetDraft
  ) async throws -> (onLaptop: SnippetRow, onPhone: SnippetRow?) {
    let row = try await laptop.store.save(draft)
    try await meet()
    return (row, try phone.row(row.uuid))
  }
}
