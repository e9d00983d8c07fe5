import Foundation
import SnippetStorage
import SnippetSync
import SnippetTestSupport
import Testing

@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SyncedListTests {
  @Test func `it shows what another device has sent`() async throws {
    let folder = TemporaryDirectory.file("meeting")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let laptop = try TemporaryStore.open("laptop.sqlite")
    let phone = try TemporaryStore.open("phone.sqlite")
    let carrier = FolderCarrier(folder)
    let sent = try await StoreSync.join(laptop, by: carrier, at: folder.path, as: "laptop")
    let received = try await StoreSync.join(
      phone,
      by: carrier,
      at: folder.path,
      as: "phone",
      key: sent.key
    )
    try await laptop.save(SnippetDraft(.text("Milk and eggs")))
    try await sent.synchronize()

    let list = SyncedList(of: phone, by: received)

    try await until("the note is shown", within: .seconds(120)) {
      list.picture.hasPrefix("Milk and eggs")
    }
    list.close()
  }
}
