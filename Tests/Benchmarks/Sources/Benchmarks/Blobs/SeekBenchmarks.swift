import CoreBenchmarks
import Foundation
import SnippetMedia
import SnippetStorage

/// A few bytes anywhere in a long recording, as a player reads them.
struct SeekBenchmarks {
  private static let byteCount = 100_000_000

  let folder: URL

  func run(into table: Table) async throws {
    let file = folder.appendingPathComponent("seeks.sqlite")
    let bytes = Data.random(count: Self.byteCount)
    let path = folder.appendingPathComponent("seeks.bin").path
    try bytes.write(to: URL(fileURLWithPath: path))
    let saved = try await SnippetStore.open(at: file)
    let draft = SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random")
    guard let blob = try await saved.save(draft).blobID else { throw RawError(message: "no blob") }
    try await saved.close()
    // Opened again, so that the blob lies in the file and not in its log.
    let store = try await SnippetStore.open(at: file)
    for row in try await rows(for: blob, path, in: store) { try table.add(row) }
    try await store.close()
  }

  private func rows(
    for blob: BlobID,
    _ path: String,
    in store: SnippetStore
  ) async throws -> [TableRow] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var random = SystemRandomNumberGenerator()
    let offsets = (0..<4003).map { _ in
      Int64.random(in: 0...Int64(Self.byteCount - 4096), using: &random)
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { memory.deallocate() }
    // As a player reads, on its own thread.
    let input = MediaInput(blob, byteCount: Int64(Self.byteCount), in: store)
    func readFile(_ round: Int) throws {
      guard pread(descriptor, memory.baseAddress, 4096, off_t(offsets[round])) == 4096 else {
        throw RawError(message: "short")
      }
    }
    let found = try Comparison(rounds: 4000) { round in
      guard try input.read(into: memory, at: offsets[round]) == 4096 else {
        throw RawError(message: "short")
      }
    } others: {
      try readFile($0)
    }
    let awaited = try await Comparison(rounds: 1000) { round in
      let range = offsets[round]..<offsets[round] + 4096
      guard try await store.content(of: blob, in: range).count == 4096 else {
        throw RawError(message: "short")
      }
    } others: {
      try readFile($0)
    }
    return [
      found.row(
        "read 4 kB anywhere in 100 MB",
        against: "pread of an open file",
        .ratio(atMost: 5)
      ),
      TableRow(
        "await 4 kB anywhere in 100 MB",
        Quantity(awaited.ours),
        against: "pread of an open file",
        Quantity(awaited.others),
        goal: .atMost(Quantity(.microseconds(100)))
      ),
    ]
  }
}
