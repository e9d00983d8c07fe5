import Foundation
import GRDB
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTesting

/// Blobs against files of the same bytes, and against what GRDB does with a column of them.
struct BlobBenchmarks {
  let folder: URL

  private static let sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

  func run(into table: Table) async throws {
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
    if let largest = samples.last {
      for row in try await randomAccess(to: largest, in: store) { try table.add(row) }
    }
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

    var name: String {
      byteCount < 1_000_000 ? "\(byteCount / 1000) kB" : "\(byteCount / 1_000_000) MB"
    }
  }

  private func makeSamples() async throws -> [Sample] {
    let store = try await SnippetStore.open(at: storeURL)
    let database = try openDatabase()
    try await database.write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, data BLOB)")
    }
    var samples: [Sample] = []
    for size in Self.sizes {
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
    let file = try Measurement(rounds: sample.rounds, ours: readOurs) { _ in
      try PlainFile.read(sample.path, sample.byteCount)
    }
    // As an app awaits, on both sides.
    let awaited = try await Measurement(rounds: sample.rounds) { _ in
      guard try await store.content(of: sample.blob).count == sample.byteCount else {
        throw RawError(message: "short")
      }
    } others: { _ in
      try await PlainFile.onThread { _ = try PlainFile.read(sample.path, sample.byteCount) }
    }
    let column = try Measurement(rounds: max(15, sample.rounds / 4), ours: readOurs) { _ in
      let data = try database.read { db in
        try Data.fetchOne(db, sql: "SELECT data FROM item WHERE id = ?", arguments: [sample.row])
      }
      guard data?.count == sample.byteCount else { throw RawError(message: "short") }
    }
    let work = "read a blob of \(sample.name)"
    return [
      file.row(work, against: "a file of the same", .ratio(atMost: 1)),
      awaited.row(
        "await a blob of \(sample.name)",
        against: "a file, on another thread",
        .ratio(atMost: 1)
      ),
      column.row(work, against: "GRDB's Data.fetchOne", .faster(times: 3)),
    ]
  }

  /// Blobs that are read once each, so that nothing of them is mapped.
  private func fresh(_ album: [(blob: BlobID, path: String)], in store: SnippetStore) throws
    -> TableRow
  {
    try Measurement(rounds: 10 * album.count) { round in
      var context = LoadContext()
      try store.blockingLoad(LoadKey(blobID: album[round % album.count].blob), into: &context)
    } others: { round in
      try PlainFile.read(album[round % album.count].path, 10_000_000)
    }.row("read one after another of 10 MB", against: "files of the same", .ratio(atMost: 1))
  }

  private func randomAccess(to sample: Sample, in store: SnippetStore) async throws -> [TableRow] {
    let descriptor = open(sample.path, O_RDONLY)
    defer { close(descriptor) }
    var random = SystemRandomNumberGenerator()
    let offsets = (0..<4003).map { _ in
      Int64.random(in: 0...Int64(sample.byteCount - 4096), using: &random)
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { memory.deallocate() }
    // As a player reads, on its own thread.
    let input = MediaInput(sample.blob, byteCount: Int64(sample.byteCount), in: store)
    func readFile(_ round: Int) throws {
      guard pread(descriptor, memory.baseAddress, 4096, off_t(offsets[round])) == 4096 else {
        throw RawError(message: "short")
      }
    }
    let found = try Measurement(rounds: 4000) { round in
      guard try input.read(into: memory, at: offsets[round]) == 4096 else {
        throw RawError(message: "short")
      }
    } others: {
      try readFile($0)
    }
    let awaited = try await Measurement(rounds: 1000) { round in
      let range = offsets[round]..<offsets[round] + 4096
      guard try await store.content(of: sample.blob, in: range).count == 4096 else {
        throw RawError(message: "short")
      }
    } others: {
      try readFile($0)
    }
    return [
      found.row(
        "read 4 kB anywhere in \(sample.name)",
        against: "pread of an open file",
        .ratio(atMost: 5)
      ),
      TableRow(
        "await 4 kB anywhere in \(sample.name)",
        Quantity(awaited.ours),
        against: "pread of an open file",
        Quantity(awaited.others),
        goal: .atMost(Quantity(.microseconds(100)))
      ),
    ]
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
    return try await Measurement(rounds: 200) { _ in
      guard try await store.content(of: blobs).count == 30 else {
        throw RawError(message: "one is missing")
      }
    } others: { _ in
      try await PlainFile.onThread {
        // All are held until the last is there, as ours are.
        let found = try screen.map { try PlainFile.read($0.path, 100_000) }
        guard found.count == 30 else { throw RawError(message: "one is missing") }
      }
    }.row("await 30 blobs of 100 kB", against: "30 files, on another thread", .ratio(atMost: 1))
  }
}

/// A file as a program reads it that has nothing else to do.
enum PlainFile {
  private static let thread = DispatchQueue(label: "files")

  /// Reads on a thread that may block, as an app does that must not block its own.
  static func onThread(_ read: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      thread.async { continuation.resume(with: Result { try read() }) }
    }
  }

  /// Opens, asks for the size, reads all and closes; the memory is not filled with zeros first, as
  /// ours is not.
  @discardableResult
  static func read(_ path: String, _ size: Int) throws -> Data {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == size,
      let memory = malloc(size)
    else { throw RawError(message: "cannot open the file") }
    let data = Data(bytesNoCopy: memory, count: size, deallocator: .free)
    var done = 0
    while done < size {
      let count = Foundation.read(descriptor, memory + done, size - done)
      guard count > 0 else { throw RawError(message: "cannot read the file") }
      done += count
    }
    return data
  }
}

extension Data {
  /// Bytes that are like no others.
  static func random(count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    var data = Data(count: count)
    data.withUnsafeMutableBytes { buffer in
      var state = generator.next()
      for index in stride(from: 0, to: count - 7, by: 8) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        buffer.storeBytes(of: state, toByteOffset: index, as: UInt64.self)
      }
    }
    return data
  }
}
