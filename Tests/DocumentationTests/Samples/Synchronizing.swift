import Foundation
import SnippetStorage
import SnippetSync

func synchronize(_ store: SnippetStore, in folder: URL) async throws -> Task<Void, Never> {
  let carrier = FolderCarrier(folder)
  let sync = try await StoreSync.join(store, by: carrier, at: folder.path, as: "laptop") { key, _ in
    print("Keep this key: \(key)")
  }
  try await sync.synchronize()
  return Task {
    await sync.run { event in print(event) }
  }
}

private func join(_ store: SnippetStore, in folder: URL) async throws {
  let sync = try await StoreSync.join(
    store,
    by: FolderCarrier(folder),
    at: folder.path,
    as: "laptop"
  )
  let report = try await sync.synchronize()
  print(report)
}

private func run(_ sync: StoreSync) {
  let task = Task {
    await sync.run { event in print(event) }
  }
  task.cancel()
}

private func follow(_ store: SnippetStore) async {
  for await status in StoreSync.statuses(of: store) {
    print(status?.unsentCount ?? 0)
  }
}
