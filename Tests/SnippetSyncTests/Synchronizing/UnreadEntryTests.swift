import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Entries that wait to be merged.
@Suite(.temporaryDirectory)
struct UnreadEntryTests {
  @Test func `a later entry of a device waits for the blob that an earlier one lacked`()
    async throws
  {
    let laptop = try await SyncedStore("laptop", MemoryPlace())
    let device = try #require(try await laptop.sync.records.state()).device
    let (lacking, other) = (UUID(), UUID())
    func entry(_ uuid: UUID, _ text: String) -> UnreadEntry {
      UnreadEntry(uuid: uuid, author: device, devices: [device], line: Data(text.utf8))
    }
    let (earlier, later) = ("{\"n\":1}", "{\"n\":2}")

    let (marked, lines) = try laptop.store.seam.write(to: "keep entries") { db in
      for uuid in [lacking, other] {
        try entry(uuid, earlier).keep(triedBy: UnreadEntry.untried, in: db)
      }
      try entry(lacking, earlier).noteMissingBlob(in: db)
      for uuid in [lacking, other] {
        try entry(uuid, later).keep(triedBy: UnreadEntry.untried, in: db)
      }
      let waiting = try UnreadEntry.waiting(of: lacking, in: db)
      return (try UnreadEntry.withoutBlobs(in: db), waiting.map(\.line))
    }

    #expect(marked == [lacking])
    #expect(lines == [Data(later.utf8)])
    let rest = try laptop.store.seam.write(to: "keep entries") { db in
      try entry(lacking, later).keep(in: db)
      return try UnreadEntry.withoutBlobs(in: db)
    }
    #expect(rest.isEmpty)
  }
}
