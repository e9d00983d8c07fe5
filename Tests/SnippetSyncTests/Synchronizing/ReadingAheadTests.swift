import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Stores that meet in a folder, from which several objects are read at once.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadingAheadTests {
  private let folder = TemporaryDirectory.file("meeting")

  private func join(_ name: String, key: String? = nil) async throws -> (SnippetStore, StoreSync) {
    let store = try TemporaryStore.open("\(name).sqlite")
    let carrier = FolderCarrier(folder)
    return (store, try await StoreSync.join(store, by: carrier, at: "folder", as: name, key: key))
  }

  private func texts(of store: SnippetStore) throws -> Set<String> {
    let list = store.list()
    return Set(
      try list.page(0..<list.count).rows.map { "\($0.uuid) \($0.byteCount) \($0.preview)" }
    )
  }

  @Test func `log files and blobs that are read ahead arrive whole, up to a damaged one`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (laptop, sync) = try await join("laptop")
    for number in 0..<150 {
      let text = String(repeating: "text \(number) ", count: 6_000)
      _ = try await laptop.save(SnippetDraft(.text(String(text.prefix(60_000)))))
    }
    for seed in 0..<5 as Range<UInt64> {
      _ = try await laptop.save(Samples.image(Samples.bytes(9_000_000, seed: seed)))
    }
    #expect(try await sync.synchronize().sentCount == 155)
    let logs = try #require(FileManager.default.enumerator(atPath: folder.path)?.allObjects)
      .compactMap { $0 as? String }.filter { $0.hasPrefix("log/") && $0.hasSuffix("3") }
    let last = folder.appendingPathComponent(try #require(logs.first))
    let bytes = try Data(contentsOf: last)
    let (phone, phoneSync) = try await join("phone", key: sync.key)

    try Data("damaged".utf8).write(to: last)
    let first = try await phoneSync.synchronize()
    try bytes.write(to: last)
    let second = try await phoneSync.synchronize()

    #expect(first.held.count == 1)
    #expect(first.receivedCount > 0 && second.receivedCount > 0)
    #expect(first.receivedCount + second.receivedCount == 155)
    #expect(first.receivedBlobCount + second.receivedBlobCount == 5)
    #expect(try texts(of: phone) == texts(of: laptop))
    #expect(try await phone.check().isSound)
    #expect(try await phoneSync.synchronize().isEmpty)
  }
}
