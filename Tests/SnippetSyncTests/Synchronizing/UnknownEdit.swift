import Foundation
import SnippetBase
import SnippetStorage
import Testing

@testable import SnippetSync

/// A snippet that a laptop and a phone edited apart, and a tablet that has received neither edit.
///
/// Both are sent, and that of the phone is the later one. Neither device has received the other's.
struct UnknownEdit {
  let laptop: SyncedStore
  let phone: SyncedStore
  let tablet: SyncedStore
  let uuid: UUID
  /// The heads as the phone saw them before the laptop sent its edit.
  private let marks: [ObjectMark]

  var all: [SyncedStore] { [laptop, phone, tablet] }

  /// Makes the edits: one of the laptop with a text, and one of the phone, each as often repeated.
  init(_ text: String, _ count: Int = 1) async throws {
    let place = MemoryPlace()
    laptop = try await SyncedStore("laptop", place)
    let key = laptop.sync.key
    phone = try await SyncedStore("phone", place, key: key) { Date() + 60 }
    tablet = try await SyncedStore("tablet", place, key: key)
    let row = try await laptop.store.save(SnippetDraft(.text("of all"), tags: ["trip"]))
    uuid = row.uuid
    for device in [laptop, phone, tablet, laptop] { try await device.synchronize() }
    for (device, text) in [(phone, "of the phone "), (laptop, text + " ")] {
      let row = try #require(try device.row(uuid))
      let edit = SnippetEdit(text: String(repeating: text, count: count))
      _ = try await device.store.apply(edit, to: row.id)
    }
    let former = try await place.carrier("laptop").list("device/")
    try await phone.synchronize()
    marks = try await place.carrier("phone").list("device/")
    try await send(from: laptop, seeing: former)
  }

  /// Has the phone delete its version for good, before it receives the other one.
  func delete(throughTrash: Bool = false) async throws {
    let row = try #require(try phone.row(uuid))
    if throughTrash {
      _ = try await phone.store.moveToTrash([row.id])
      try await send(from: phone, seeing: marks)
    }
    _ = try await phone.store.delete([row.id])
    try await send(from: phone, seeing: marks)
  }

  /// Lets all have all of each other.
  func settle() async throws {
    for _ in 0..<3 {
      for device in all { try await device.synchronize() }
    }
    for device in all { #expect(try await device.synchronize().isEmpty) }
  }

  private func send(from device: SyncedStore, seeing marks: [ObjectMark]) async throws {
    let clock = device.clock
    let sync = StoreSync(
      SyncRecords(store: device.store) { clock().milliseconds },
      Repository(
        carrier: FormerCarrier(carrier: device.place.carrier(device.name), marks: marks),
        key: RepositoryKey(try AgeIdentity(device.sync.key)),
        address: "memory"
      )
    )
    try await sync.synchronize(allowingManyRemovals: true)
  }
}

/// A carrier whose list of heads stays as it was.
private struct FormerCarrier: PassingCarrier {
  let carrier: MemoryCarrier
  let marks: [ObjectMark]

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    prefix == "device/" ? marks : try await carrier.list(prefix)
  }
}
