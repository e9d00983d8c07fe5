import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Synchronizations of a store that can grow no further.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FullDiskTests {
  @Test func `a full disk stops a synchronization at any page, and with room it goes on`()
    async throws
  {
    let place = MemoryPlace()
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    for number in 0..<30 {
      let text = String(repeating: "text \(number) ", count: 100)
      _ = try await laptop.store.save(SnippetDraft(.text(text), tags: ["tag \(number)"]))
    }
    _ = try await laptop.store.save(Samples.image(Samples.bytes(100_000)))
    let sent = try await laptop.contents()

    // It captures and seals there, and merges here.
    let senderCount = try await synchronize(laptop, untilItHas: sent)
    let receiverCount = try await synchronize(phone, untilItHas: sent)

    #expect(senderCount > 5)
    #expect(receiverCount > 10)
    #expect(try await laptop.contents() == sent)
    #expect(try await phone.contents() == sent)
    for device in [laptop, phone] { #expect(try await device.synchronize().isEmpty) }
    #expect(place.objects.keys.filter { $0.hasPrefix("log/") }.count == 2)
  }

  /// Synchronizes with no room, then with room for one more page, and so on.
  ///
  /// - Returns: The number of failures.
  private func synchronize(
    _ device: SyncedStore,
    untilItHas contents: [String]
  ) async throws -> Int {
    let before = try await device.contents()
    var failureCount = 0
    while true {
      try giveRoom(failureCount, to: device.store)
      do {
        try await device.sync.synchronize()
        try giveRoom(1 << 20, to: device.store)
        return failureCount
      } catch let error as SyncError {
        let cause = error.underlyingError as? SnippetStoreError
        try #require(cause?.code == .diskFull, "\(error)")
        #expect(error.code == .store)
        // Each log file comes whole or not at all.
        let now = Set(try await device.contents())
        #expect(now.isSuperset(of: before))
        #expect(now.isSubset(of: contents))
        failureCount += 1
      }
    }
  }

  private func giveRoom(_ pageCount: Int, to store: SnippetStore) throws {
    try store.seam.write(to: "limit the file") { db in
      let count = try db.number("PRAGMA page_count") ?? 0
      _ = try db.number("PRAGMA max_page_count = \(count + Int64(pageCount))")
    }
  }
}
