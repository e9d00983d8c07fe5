import CoreBenchmarks
import Foundation
import GRDBSQLite

/// What the sizes of pages and chunks were chosen by: writing, reading all, and reading 4 kB
/// anywhere, each combination in a file of its own, with SQLite's functions and nothing else.
struct LayoutStudy {
  let folder: URL

  private static let pageSizes = [4096, 8192, 16_384]
  private static let chunkSizes = [65_536, 131_072, 262_144, 524_288, 1_048_576]
  private static let byteCount = 10_000_000
  private static let rounds = 7

  func run(into table: Table) throws {
    var cells: [Cell] = []
    table.begin("layout: writing \(Self.pageSizes.count * Self.chunkSizes.count) files")
    for page in Self.pageSizes {
      for chunk in Self.chunkSizes { cells.append(try Cell(page: page, chunk: chunk, in: folder)) }
    }
    // In turn, so that all meet the same weather.
    for round in 0..<Self.rounds {
      table.begin("layout: round \(round + 1) of \(Self.rounds)")
      for index in cells.indices { try cells[index].measure(round, in: folder) }
    }
    for row in cells.flatMap(\.rows) { try table.add(row) }
  }

  private struct Cell {
    let page: Int
    let chunk: Int
    private let path: String
    private var writing: [Duration] = []
    private var reading: [Duration] = []
    private var seeking: [Duration] = []
    private static let bytes = Data.random(count: LayoutStudy.byteCount)

    init(page: Int, chunk: Int, in folder: URL) throws {
      (self.page, self.chunk) = (page, chunk)
      path = folder.appendingPathComponent("layout-\(page)-\(chunk).sqlite").path
      try Self.write(to: path, page: page, chunk: chunk)
    }

    var rows: [TableRow] {
      let name = "page \(page / 1024) KiB, chunk \(chunk / 1024) KiB"
      func row(_ work: String, _ times: [Duration]) -> TableRow {
        TableRow("\(name): \(work)", Quantity(times.sorted()[times.count / 2]), goal: .none)
      }
      return [row("write 10 MB", writing), row("read it", reading), row("read 4 kB", seeking)]
    }

    mutating func measure(_ round: Int, in folder: URL) throws {
      let clock = ContinuousClock()
      let other = folder.appendingPathComponent("layout-written.sqlite").path
      writing.append(
        try clock.measure { try Self.write(to: other, page: page, chunk: chunk) }
      )
      try FileManager.default.removeItem(atPath: other)
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LayoutStudy.byteCount,
        alignment: 16
      )
      defer { memory.deallocate() }
      let raw = try RawDatabase(path)
      try raw.run(RawDatabase.blobSettings)
      try read(raw, at: 0, into: memory)
      reading.append(try clock.measure { try read(raw, at: 0, into: memory) })
      let piece = UnsafeMutableRawBufferPointer(rebasing: memory[..<4096])
      let count = 200
      seeking.append(
        try clock.measure {
          for _ in 0..<count {
            try read(raw, at: Int.random(in: 0..<LayoutStudy.byteCount - 4096), into: piece)
          }
        } / count
      )
    }

    private static func write(to path: String, page: Int, chunk: Int) throws {
      let raw = try RawDatabase(path, isReadOnly: false)
      try raw.run(
        """
        PRAGMA page_size = \(page); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
        PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = EXTRA;
        CREATE TABLE blob_chunk (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        BEGIN
        """
      )
      let insertion = try raw.prepare("INSERT INTO blob_chunk (id, data) VALUES (?, ?)")
      for (number, start) in stride(from: 0, to: bytes.count, by: chunk).enumerated() {
        insertion.bind(Int64(1 << 20 | number), at: 1)
        try bytes[start..<min(bytes.count, start + chunk)].withUnsafeBytes { piece in
          insertion.bindInPlace(piece, at: 2)
          try insertion.run()
        }
      }
      try raw.run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func read(
      _ raw: RawDatabase,
      at offset: Int,
      into buffer: UnsafeMutableRawBufferPointer
    ) throws {
      let handle = RawBlob(raw)
      var done = 0
      while done < buffer.count {
        let position = offset + done
        let start = position % chunk
        let count = min(buffer.count - done, chunk - start)
        try handle.move(to: Int64(1 << 20 | position / chunk))
        try handle.read(
          UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]),
          at: start
        )
        done += count
      }
    }
  }
}
