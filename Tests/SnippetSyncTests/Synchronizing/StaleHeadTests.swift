import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A place that lists a new head, and still gives the old one.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StaleHeadTests {
  private let place = MemoryPlace()

  @Test func `a head that is listed before it can be read is read again`() async throws {
    let pair = try await SyncedPair(place)
    _ = try await pair.share(SnippetDraft(.text("first")))
    let carrier = LateHeads(carrier: place.carrier("phone"), heads: place.objects)
    let late = try await StoreSync(pair.phone.store, by: carrier, key: pair.phone.sync.key)
    let row = try await pair.laptop.store.save(SnippetDraft(.text("second")))
    try await pair.laptop.synchronize()

    #expect(try await late.synchronize().isEmpty)
    #expect(try pair.phone.row(row.uuid) == nil)
    try await pair.phone.synchronize()

    #expect(try pair.phone.row(row.uuid) != nil)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }
}

/// Reads heads as they were.
private struct LateHeads: PassingCarrier {
  let carrier: MemoryCarrier
  let heads: [String: Data]

  func read(_ name: String) async throws(SyncError) -> Data? {
    if name.hasPrefix("device/"), let head = heads[name] { return head }
    return try await carrier.read(name)
  }
}
