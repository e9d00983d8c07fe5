import CoreBenchmarks
import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// Blobs behind the first tebibyte of a store's file, most of which is a hole.
struct FarBlobBenchmarks {
  private static let pageCount: UInt32 = 150_000_000
  private static let pageSize: UInt64 = 8192

  let folder: URL

  func run(into table: Table) async throws {
    let file = folder.appendingPathComponent("far.sqlite")
    try await SnippetStore.open(at: file).close()
    try Self.lengthen(file)
    let first = try await SnippetStore.open(at: file)
    var samples: [(blob: BlobID, byteCount: Int, path: String)] = []
    for size in PlainFile.sizes {
      let bytes = Data.random(count: size)
      let draft = SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random")
      guard let blob = try await first.save(draft).blobID else { throw RawError(message: "none") }
      guard try await first.content(of: blob) == bytes else { throw RawError(message: "others") }
      let path = folder.appendingPathComponent("far-\(size).bin").path
      try bytes.write(to: URL(fileURLWithPath: path))
      samples.append((blob, size, path))
    }
    try await first.close()
    let place = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0
    guard place > 1 << 40 else { throw RawError(message: "the file is no tebibyte long") }

    let store = try await SnippetStore.open(at: file)
    for (blob, byteCount, path) in samples {
      let size = PlainFile.name(of: byteCount)
      try table.add(
        Comparison(rounds: byteCount > 10_000_000 ? 15 : 100) { _ in
          var context = LoadContext()
          try store.blockingLoad(LoadKey(blobID: blob), into: &context)
        } others: { _ in
          try PlainFile.read(path, byteCount)
        }.row("read a blob of \(size) behind 1 TiB", against: "a file of the same")
      )
    }
    try await store.close()
  }

  /// Lengthens a database by pages that nothing uses; it is only as much longer on the disk as its
  /// file system says.
  private static func lengthen(_ file: URL) throws {
    let handle = try FileHandle(forUpdating: file)
    // The number of pages, which SQLite believes as the header's two counters of changes agree
    // (https://www.sqlite.org/fileformat2.html, section 1.3.8).
    try handle.seek(toOffset: 28)
    try handle.write(contentsOf: withUnsafeBytes(of: pageCount.bigEndian) { Data($0) })
    try handle.truncate(atOffset: UInt64(pageCount) * pageSize)
    try handle.close()
  }
}
