import Foundation
import SnippetStorage
import SnippetSync
import SnippetTestSupport
import Testing

/// The end of a synchronization, after which the power may fail.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SynchronizationEndTests {
  @Test(arguments: [false, true])
  func `what was received is on the disk at the end, even where a blob is missing`(
    isMissing: Bool
  ) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, isMissing = isMissing as Bool] in
      let place = folder.appendingPathComponent("place")
      let repository = folder.appendingPathComponent("repository")
      for folder in [place, repository] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      }
      let injector = FaultInjector.install(watching: place)
      let carrier = FolderCarrier(repository)
      let other = try SnippetStore(at: folder.appendingPathComponent("other.sqlite"))
      let store = try SnippetStore(at: place.appendingPathComponent("store.sqlite"))
      let otherSync = try await StoreSync.join(other, by: carrier, at: "folder", as: "other")
      let key = otherSync.key
      let sync = try await StoreSync.join(store, by: carrier, at: "folder", as: "own", key: key)
      // From then on it has nothing to send, which would wait for the disk.
      try await sync.synchronize()
      try await other.save(SnippetDraft(.text("Tea")))
      try await other.save(Samples.image(Samples.bytes(30_000, seed: 1)))
      try await otherSync.synchronize()
      let blobs = repository.appendingPathComponent("blob")
      if isMissing { try FileManager.default.removeItem(at: blobs) }

      let recording = try await injector.record {
        let report = try await sync.synchronize()
        #expect(report.receivedCount == (isMissing ? 1 : 2))
        #expect(report.held.count == (isMissing ? 1 : 0))
      }

      var (unsynced, writeCount) = (Set<String>(), 0)
      for event in recording.events {
        switch event {
        case .write(let path, _, offset: _):
          unsynced.insert(path)
          writeCount += 1
        case .sync(let path): unsynced.remove(path)
        default: break
        }
      }
      #expect(writeCount > 0)
      #expect(unsynced.isEmpty)
      for store in [other, store] { try await store.close() }
    }
  }
}
