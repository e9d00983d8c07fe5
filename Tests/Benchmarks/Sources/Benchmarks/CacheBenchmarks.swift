import CoreBenchmarks
import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// A look-up in the loader's cache, by the door that apps use.
@MainActor
struct CacheBenchmarks {
  let store: SnippetStore

  private static let entryCount = 2_000
  private static let lookUpCount = 100_000

  func run(into table: Table) async throws {
    let blobs = try await Self.loadedBlobs(of: store)
    let keys = (0..<Self.lookUpCount).map { _ in blobs.randomKey() }
    let cacheKeys = keys.map { blobs.objects[$0] ?? ObjectKey($0) }
    let cache = NSCache<ObjectKey, LoadedBlob>()
    let raw = LockedDictionary()
    for (key, object) in blobs.objects {
      guard let blob = blobs.loader.pipeline.blobInMemory(for: key) else {
        throw RawError(message: "a miss")
      }
      cache.setObject(blob, forKey: object)
      raw.insert(blob)
    }
    let loader = blobs.loader
    func lookUpAll(_: Int) throws {
      for key in keys where loader.pipeline.blobInMemory(for: key) == nil {
        throw RawError(message: "a miss")
      }
    }
    let work = "find a blob in the cache"
    let inCache = try measured(ours: lookUpAll) { _ in
      for key in cacheKeys where cache.object(forKey: key) == nil {
        throw RawError(message: "a miss")
      }
    }
    try table.add(TableRow(work, Quantity(inCache.ours), goal: .atMost(Quantity(.nanoseconds(60)))))
    try table.add(inCache.row(work, against: "NSCache", .ratio(atMost: 0.2)))
    let inDictionary = try measured(ours: lookUpAll) { _ in
      for key in keys where raw.blob(for: key) == nil { throw RawError(message: "a miss") }
    }
    try table.add(inDictionary.row(work, against: "lock and dictionary", .ratio(atMost: 0.8)))
  }

  private func measured(
    ours: (Int) throws -> Void,
    others: (Int) throws -> Void
  ) throws -> Comparison {
    try Comparison(rounds: 100, pieces: Self.lookUpCount, ours: ours, others: others)
  }

  /// A loader with blobs in its cache, and a key object for each.
  private struct LoadedBlobs {
    let loader: SnippetLoader
    let objects: [LoadKey: ObjectKey]
    let keys: [LoadKey]

    func randomKey() -> LoadKey { keys[Int.random(in: keys.indices)] }
  }

  private static func loadedBlobs(of store: SnippetStore) async throws -> LoadedBlobs {
    try await saveBlobs(in: store)
    var configuration = SnippetLoader.Configuration()
    configuration.maximumRowCount = entryCount
    let loader = SnippetLoader(list: store.list(), store: store, configuration: configuration)
    loader.show(visible: 0..<entryCount)
    let cells = (0..<entryCount).map { _ in SimulatedCell() }
    for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }
    await loader.settled()
    let keys = cells.compactMap { cell in cell.row?.blobID.map { LoadKey(blobID: $0) } }
    guard keys.count == entryCount else { throw RawError(message: "a blob is missing") }
    return LoadedBlobs(
      loader: loader,
      objects: Dictionary(uniqueKeysWithValues: keys.map { ($0, ObjectKey($0)) }),
      keys: keys
    )
  }

  private static func saveBlobs(in store: SnippetStore) async throws {
    try await store.save(
      contentsOf: (0..<entryCount).map { number in
        SnippetDraft(
          .bytes(Data("Bytes of \(number)".utf8)),
          kind: .image,
          mediaType: "image/x-none"
        )
      }
    )
  }
}

/// A key as `NSCache` needs it.
private final class ObjectKey: NSObject {
  private let key: LoadKey

  init(_ key: LoadKey) {
    self.key = key
  }

  override var hash: Int { key.hashValue }

  override func isEqual(_ object: Any?) -> Bool { (object as? ObjectKey)?.key == key }
}

/// The least that a cache may be: it keeps all, and in no order.
private final class LockedDictionary {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var blobs: [LoadKey: LoadedBlob] = [:]

  init() {
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func insert(_ blob: LoadedBlob) {
    blobs[blob.key] = blob
  }

  func blob(for key: LoadKey) -> LoadedBlob? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return blobs[key]
  }
}
