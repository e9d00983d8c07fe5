import Foundation
import SnippetStore

/// A whole blob against a file of the same bytes.
struct BlobBenchmarks {
  let store: SnippetStore
  let folder: URL

  func run() throws -> [TableRow] {
    var generator = SystemRandomNumberGenerator()
    return try [10_000, 100_000, 1_000_000, 10_000_000].map { size in
      let bytes = Data(
        (0..<size / 8).flatMap { _ in
          withUnsafeBytes(of: generator.next()) { Array($0) }
        }
      )
      let row = try store.save(
        SnippetDraft(.bytes(bytes), kind: .image, mediaType: "image/x-random")
      )
      guard let blob = row.blobID else { throw RawError(message: "no blob") }
      let path = folder.appendingPathComponent("\(size).bin").path
      try bytes.write(to: URL(fileURLWithPath: path))
      return try Measurement(rounds: size > 1_000_000 ? 30 : 200) { _ in
        guard try store.blob(blob).count == bytes.count else { throw RawError(message: "short") }
      } others: { _ in
        try readFile(path, bytes.count)
      }.row("read a blob of \(size / 1000) kB", against: "a file of the same", .ratio(atMost: 1))
    }
  }

  private func readFile(_ path: String, _ size: Int) throws {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == size else {
      throw RawError(message: "cannot open the file")
    }
    var data = Data(count: size)
    let count = data.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, size) }
    guard count == size else { throw RawError(message: "cannot read the file") }
  }
}
