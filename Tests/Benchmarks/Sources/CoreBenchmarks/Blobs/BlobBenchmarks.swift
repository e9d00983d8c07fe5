import Foundation
import GRDB
import SnippetLoading
import SnippetStorage

/// Blobs against files of the same bytes, and against what GRDB does with a column of them.
package struct BlobBenchmarks {
  private let folder: URL
  private let sizes: [Int]

  /// Prepares the measurement.
  ///
  /// - Parameters:
  ///   - folder: A folder for the files of both sides.
  ///   - largest: The size of the largest blob. The default is 100 MB.
  package init(folder: URL, largest: Int = 100_000_000) {
    self.folder = folder
    sizes = PlainFile.sizes.filter { $0 <= largest }
  }

  package func run(into table: Table) async throws {
    let samples = try await makeSamples()
    let album = try await makeImages(count: 10, byteCount: 10_000_000)
    let screen = try await makeImages(count: 30, byteCount: 100_000)
    // Opened again, so that the blobs lie in the file and not in its log: where they are found on
    // every day but the first.
    let store = try await SnippetStore.open(at: storeURL)
    let database = try openDatabase()
    defer { try? database.close() }
    for sample in samples {
      for row in try await rows(for: sample, in: store, database) { try table.add(row) }
    }
    try table.add(fresh(album, in: store))
    try await table.add(batch(screen, in: store))
    try await store.close()
  }

  private var storeURL: URL { folder.appendingPathComponent("blobs.sqlite") }
  private var databaseURL: URL { folder.appendingPathComponent("grdb.sqlite") }

  /// A database that is mapped, and has pages of the same size, as the store is and has.
  private func openDatabase() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 8192; \(RawDatabase.blobSettings)")
    }
    return try DatabasePool(path: databaseURL.path, configuration: configuration)
  }

  /// The same bytes in the store, in a file and in a table of GRDB's.
  private struct Sample {
    let byteCount: Int
    let blob: BlobID
    let path: String
    let row: Int64

    var rounds: Int {
      switch byteCount {
      case ...1_000_000: 400
      case ...10_000_000: 100
      default: 15
      }
    }
  }

  private func makeSamples() async throws -> [Sample] {
    let store = try await SnippetStore.open(at: storeURL)
    let database = try openDatabase()
    try await database.write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, data BLOB)")
    }
    var samples: [Sample] = []
    for size in sizes {
      let bytes = Data.random(count: size)
      let row = try await store.save(
        SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random")
      )
      guard let blob = row.blobID else { throw RawError(message: "no blob") }
      let path = folder.appendingPathComponent("\(size).bin").path
      try bytes.write(to: URL(fileURLWithPath: path))
      let id = try await database.write { db in
        try db.execute(sql: "INSERT INTO item (data) VALUES (?)", arguments: [bytes])
        return db.lastInsertedRowID
      }
      samples.append(Sample(byteCount: size, blob: blob, path: path, row: id))
    }
    try await store.close()
    try database.close()
    return samples
  }

  private func rows(
    for sample: Sample,
    in store: SnippetStore,
    _ database: DatabasePool
  ) async throws -> [TableRow] {
    let key = LoadKey(blobID: sample.blob)
    // As a loader reads, which has a thread already, and others for other blobs.
    func readOurs(_: Int) throws {
      var context = LoadContext()
      try store.blockingLoad(key, into: &context)
    }
    let file = try Comparison(rounds: sample.rounds, ours: readOurs) { _ in
      try PlainFile.read(sample.path, sample.byteCount)
    }
    // As an app awaits, on both sides.
    let awaited = try await Comparison(rounds: sample.rounds) { _ in
      guard try await store.content(of: sample.blob).count == sample.byteCount else {
        throw RawError(message: "short")
      }
    } others: { _ in
      try await PlainFile.onThread { _ = try PlainFile.read(sample.path, sample.byteCount) }
    }
    let column = try Comparison(rounds: max(15, sample.rounds / 4), ours: readOurs) { _ in
      let data = try database.read { db in
        try Data.fetchOne(db, sql: "SELECT data FROM item WHERE id = ?", arguments: [sample.row])
      }
      guard data?.count == sample.byteCount else { throw RawError(message: "short") }
    }
    let size = PlainFile.name(of: sample.byteCount)
    let work = "read a blob of \(size)"
    return [
      file.row(work, against: "a file of the same", .ratio(atMost: 1)),
      awaited.row(
        "await a blob of \(size)",
        against: "a file, on another thread",
        .ratio(atMost: 1),
        // The system may wake one side's thread on the same processor and the other's on another.
        alarmAt: 4
      ),
      column.row(work, against: "GRDB's Data.fetchOne", .faster(times: 3), alarmAt: 0.9),
    ]
  }

  /// Blobs that are read once each, so that nothing of them is mapped.
  private func fresh(_ album: [(blob: BlobID, path: String)], in store: SnippetStore) throws
    -> TableRow
  {
    try Comparison(rounds: 10 * album.count) { round in
      var context = LoadContext()
      try store.blockingLoad(LoadKey(blobID: album[round % album.count].blob), into: &context)
    } others: { round in
      try PlainFile.read(album[round % album.count].path, 10_000_000)
    }.row(
      "read one after another of 10 MB",
      against: "files of the same",
      .ratio(atMost: 1),
      // On one processor.
      alarmAt: 4
    )
  }

  /// Saves blobs, and files of the same.
  private func makeImages(
    count: Int,
    byteCount: Int
  ) async throws -> [(blob: BlobID, path: String)] {
    let store = try await SnippetStore.open(at: storeURL)
    var images: [(blob: BlobID, path: String)] = []
    for number in 0..<count {
      let bytes = Data.random(count: byteCount)
      let path = folder.appendingPathComponent("image-\(byteCount)-\(number).bin").path
      try bytes.write(to: URL(fileURLWithPath: path))
      let draft = SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random")
      guard let blob = try await store.save(draft).blobID else {
        throw RawError(message: "no blob")
      }
      images.append((blob, path))
    }
    try await store.close()
    return images
  }

  private func batch(
    _ screen: [(blob: BlobID, path: String)],
    in store: SnippetStore
  ) async throws -> TableRow {
    let blobs = screen.map(\.blob)
    return try await Comparison(rounds: 200) { _ in
      guard try await store.content(of: blobs).count == 30 else {
        throw RawError(message: "one is missing")
      }
    } others: { _ in
      try await PlainFile.onThread {
        // All are held until the last is there, as ours are.
        let found = try screen.map { try PlainFile.read($0.path, 100_000) }
        guard found.count == 30 else { throw RawError(message: "one is missing") }
      }
    }.row(
      "await 30 blobs of 100 kB",
      against: "30 files, on another thread",
      .ratio(atMost: 1),
      alarmAt: 4
    )
  }
}
