import CoreBenchmarks
import Foundation
import SnippetStorage

/// Importing files durably, against copying and hashing them.
struct ImportBenchmarks {
  let folder: URL
  let megabytes: Int

  private static let rounds = 5
  /// Pictures, voice memos and songs.
  private static let sizes = [80_000, 250_000, 700_000, 2_000_000, 5_000_000, 12_000_000]

  func run(into table: Table) async throws {
    let source = folder.appendingPathComponent("files")
    let byteCount = try makeFiles(in: source)
    sync()
    var times: (ours: [Duration], others: [Duration]) = ([], [])
    let clock = ContinuousClock()
    for round in 0..<Self.rounds {
      table.begin("importing: round \(round + 1) of \(Self.rounds)")
      let file = folder.appendingPathComponent("importing-\(round).sqlite")
      times.ours.append(try clock.measure { try importFiles(source, into: file) })
      let imported = try await SnippetStore.open(at: file).information().blobByteCount
      guard imported == byteCount else { throw RawError(message: "not all") }
      try FileManager.default.removeItem(at: file)
      sync()
      times.others.append(try clock.measure { try copyAndHash(source) })
      try FileManager.default.removeItem(at: copy)
      sync()
    }
    let work = "import \(byteCount / 1_000_000) MB of files, durably"
    try table.add(
      TableRow(
        work,
        Quantity(times.ours.sorted()[Self.rounds / 2]),
        against: "cp -r, sha256sum and sync",
        Quantity(times.others.sorted()[Self.rounds / 2]),
        goal: .ratio(atMost: 1.3)
      )
    )
    try table.add(
      TableRow(
        "\(work), resident at most",
        Quantity(try memory(ofImporting: source), .bytes),
        goal: .atMost(Quantity(64e6, .bytes))
      )
    )
  }

  private func importFiles(_ source: URL, into file: URL) throws {
    try ChildProcess.run(try ChildProcess.snip.path, Self.arguments(source, file))
  }

  private static func arguments(_ source: URL, _ file: URL) -> [String] {
    ["import", "--store", file.path, source.path]
  }

  private func memory(ofImporting source: URL) throws -> Double {
    let file = folder.appendingPathComponent("importing-memory.sqlite")
    return try ChildProcess.memory(
      of: try ChildProcess.snip.path,
      Self.arguments(source, file),
      in: folder
    )
  }

  private var copy: URL { folder.appendingPathComponent("copied") }

  private func makeFiles(in source: URL) throws -> Int64 {
    var total: Int64 = 0
    for number in 0... {
      let part = source.appendingPathComponent("\(number % 7)")
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      let data = wave(of: Self.sizes[number % Self.sizes.count])
      try data.write(to: part.appendingPathComponent("\(number).wav"))
      total += Int64(data.count)
      if total >= Int64(megabytes) * 1_000_000 { break }
    }
    return total
  }

  /// A recording of noise.
  private func wave(of byteCount: Int) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> Data {
      withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
    let count = UInt32(byteCount - 44)
    var data = Data("RIFF".utf8) + bytes(36 + count) + Data("WAVEfmt ".utf8) + bytes(UInt32(16))
    data += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(44_100)) + bytes(UInt32(88_200))
    data += bytes(UInt16(2)) + bytes(UInt16(16)) + Data("data".utf8) + bytes(count)
    return data + Data.random(count: byteCount - 44)
  }

  private func copyAndHash(_ source: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-ec",
      #"cp -r "$0" "$1"; find "$1" -type f -print0 | xargs -0 sha256sum >/dev/null; sync"#,
      source.path, copy.path,
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RawError(message: "cannot copy") }
  }
}
