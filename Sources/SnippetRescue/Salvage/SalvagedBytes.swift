import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

/// The bytes of a blob in a damaged store, with zeros where they cannot be read.
struct SalvagedBytes: ByteSource {
  let byteCount: Int64
  /// The chunks that cannot be read.
  let missingChunks: Set<Int64>
  private let chunkCount: Int64
  private let chunkSize: Int64
  private let tail: Data
  private let id: Int64
  private let connection: DatabaseQueue

  /// Finds the readable bytes of a blob or staged blob, with those after its chunks; `nil` if there
  /// are none.
  ///
  /// The layout is given if it is known, and ignored if it is that of a blob larger than the file.
  /// The connection is that of the walk, for reading later.
  init?(
    _ id: Int64,
    _ layout: BlobLayout?,
    tail: Data = Data(),
    _ walk: SalvageWalk,
    _ connection: DatabaseQueue
  ) throws {
    let layout = layout.flatMap { $0.byteCount <= walk.fileByteCount ? $0 : nil }
    let first = id << 20
    let known = layout.map { ($0.byteCount + $0.chunkSize - 1) / $0.chunkSize }
    var sizes: [Int64: Int64] = [:]
    // If the number of chunks is unknown, the last readable one counts as the end.
    var last =
      try known
      ?? walk.highest(of: [
        "SELECT max(id) + 1 - \(first) FROM blob_chunk WHERE id BETWEEN \(first) AND \(first + 1_048_575)"
      ])
    if last > 0 {
      try walk.forEach(
        "SELECT id, length(data) FROM blob_chunk WHERE id BETWEEN ? AND ? ORDER BY id",
        in: first...first + (last - 1)
      ) { row in
        let (number, count) = (try row.number(0) - first, try row.number(1))
        // The row holds the length; only reading the bytes shows whether they can be read.
        if try walk.value(
          "SELECT data FROM blob_chunk WHERE id = ?",
          first + number,
          { row in
            try row.withBytes(0) { $0.count }
          }
        ) == Int(count) {
          sizes[number] = count
        }
      }
    }
    guard !sizes.isEmpty || !tail.isEmpty else { return nil }
    // Without a layout, all chunks are taken to be full.
    self.chunkSize = max(1, layout?.chunkSize ?? sizes.values.max() ?? 1)
    // The number of the last one may be damage too.
    if layout == nil { last = min(last, walk.fileByteCount / self.chunkSize + 1) }
    chunkCount = last
    missingChunks = Set(0..<last).subtracting(sizes.keys)
    let inChunks =
      layout?.byteCount
      ?? (last > 0 ? (last - 1) * self.chunkSize + (sizes[last - 1] ?? self.chunkSize) : 0)
    byteCount = inChunks + Int64(tail.count)
    self.tail = tail
    self.id = id
    self.connection = connection
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let count = Int(max(0, min(Int64(buffer.count), byteCount - offset)))
    var done = 0
    try connection.unsafeReentrantRead { db in
      while done < count {
        let place = offset + Int64(done)
        let (chunk, start) = place.quotientAndRemainder(dividingBy: chunkSize)
        let part: Int
        if chunk >= chunkCount || place >= byteCount - Int64(tail.count) {
          let start = Int(place - (byteCount - Int64(tail.count)))
          part = min(count - done, tail.count - start)
          tail.dropFirst(start).prefix(part).copyBytes(
            to: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part])
          )
        } else {
          let end = min((chunk + 1) * chunkSize, byteCount - Int64(tail.count))
          part = Int(min(Int64(count - done), end - place))
          let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part])
          for place in target.indices { target[place] = 0 }
          if !missingChunks.contains(chunk) {
            try StoreSeam.read(db) {
              try db.value(
                "SELECT data FROM blob_chunk WHERE id = ?",
                [(id << 20 + chunk).databaseValue]
              ) { row in
                try row.withBytes(0) { data in
                  guard start < data.count else { return }
                  target.copyMemory(
                    from: UnsafeRawBufferPointer(
                      rebasing: data[Int(start)..<min(data.count, Int(start) + part)]
                    )
                  )
                }
              }
            }
          }
        }
        done += part
      }
    }
    return done
  }
}
