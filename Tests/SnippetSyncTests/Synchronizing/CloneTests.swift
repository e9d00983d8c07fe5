import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// A store that was copied with its whole machine, so that nothing in it tells it from its copy.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CloneTests {
  private let place = MemoryPlace()

  @Test(arguments: [false, true])
  func `of two clones that write the same log file, neither loses an edit`(
    ignoresIsNew: Bool
  ) async throws {
    var faults = MemoryPlace.Faults()
    faults.ignoresIsNew = ignoresIsNew
    place.set(faults)
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    let shared = try await laptop.store.save(SnippetDraft(.text("of both")))
    for device in [laptop, phone, laptop] { try await device.synchronize() }
    let clone = try await SyncedStore(copying: laptop, as: "clone", isClone: true)
    _ = try await laptop.store.save(SnippetDraft(.text("of the laptop")))
    _ = try await clone.store.save(SnippetDraft(.text("of the clone")))
    _ = try await laptop.store.apply(SnippetEdit(text: "edited on the laptop"), to: shared.id)
    _ = try await clone.store.apply(SnippetEdit(text: "edited on the clone"), to: shared.id)

    // Neither looks between the other's writes.
    try await laptop.synchronize()
    try await clone.synchronize()
    try await phone.synchronize()
    for _ in 0..<3 {
      for device in [laptop, clone, phone] { try await device.synchronize() }
    }

    let texts = try await phone.rows().asyncMap { try await phone.store.text(of: $0.id) }
    #expect(
      texts.sorted() == [
        "edited on the clone", "edited on the laptop", "of the clone", "of the laptop",
      ]
    )
    #expect(try await laptop.contents() == phone.contents())
    #expect(try await clone.contents() == phone.contents())
    let devices = try await [laptop, clone].asyncMap { device in
      try await device.store.seam.read(to: "test") { db in try SyncState(in: db)?.device }
    }
    #expect(devices[0] != devices[1])
  }

  @Test func `a reply that was lost makes no other device`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let phone = try await SyncedStore("phone", place, key: laptop.sync.key)
    for step in 1...20 {
      _ = try await laptop.store.save(SnippetDraft(.text("text \(step)")))
      laptop.crash.arm(at: laptop.crash.count + step, .after)
      _ = try? await laptop.synchronize()
      laptop.crash.disarm()
      try await laptop.synchronize()
      try await phone.synchronize()
    }
    #expect(try await StoreSync.devices(of: phone.store).count == 2)
    #expect(try await phone.contents() == laptop.contents())
  }
}
