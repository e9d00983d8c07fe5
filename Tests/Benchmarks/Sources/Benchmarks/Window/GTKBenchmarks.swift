import CoreBenchmarks
import Foundation
import SnippetMedia
import SnippetStorage

/// `snip-window` on a display of its own, with keys and a pointer.
///
/// How soon it shows its first pictures, and what our code takes of each frame while the list is
/// flung and while others change it. GTK draws with the processor here, so its share is large; ours is
/// told apart.
///
/// Needs Xvfb, xdotool and ImageMagick, and a build with the trait `GTK`.
struct GTKBenchmarks {
  private static let rounds = 9
  private static let pictureCount = 20
  private static let startRowCount = 10_000

  let folder: URL
  let rowCount: Int

  func run(into table: Table) async throws {
    let display = try WindowDisplay(in: folder)
    let pictures = try makePictures()
    let file = folder.appendingPathComponent("window.sqlite")
    table.begin("gtk: making a list of \(Self.startRowCount) pictures")
    try await fill(file, pictures, 0..<Self.startRowCount)
    try await showFirst(file, on: display, into: table)
    table.begin("gtk: a storm of changes")
    try await storm(file, pictures, on: display, into: table)
    table.begin("gtk: making a list of \(rowCount) pictures")
    try await fill(file, pictures, Self.startRowCount..<rowCount)
    table.begin("gtk: flinging")
    try await fling(file, on: display, into: table)
  }

  // MARK: - Pictures

  /// Some JPEG files of 320 × 240 pixels.
  private func makePictures() throws -> [Data] {
    try (0..<Self.pictureCount).map { number in
      let file = folder.appendingPathComponent("picture-\(number).jpg")
      try ChildProcess.run(
        "convert",
        ["-seed", "\(number)", "-size", "320x240", "plasma:", "-quality", "60", file.path]
      )
      return try Data(contentsOf: file)
    }
  }

  /// A file of its own: with its number in a comment.
  private func picture(_ number: Int, _ pictures: [Data]) -> Data {
    let picture = pictures[number % pictures.count]
    let comment = Data("\(number)".utf8)
    let size = UInt16(comment.count + 2)
    return picture.prefix(2) + [0xFF, 0xFE, UInt8(size >> 8), UInt8(truncatingIfNeeded: size)]
      + comment + picture.dropFirst(2)
  }

  private func draft(_ number: Int, _ pictures: [Data], age: Double = 0) -> SnippetDraft {
    SnippetDraft(
      .bytes(picture(number, pictures)),
      title: "Picture \(number)",
      createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) - age)
    )
  }

  private func fill(_ file: URL, _ pictures: [Data], _ numbers: Range<Int>) async throws {
    let store = try await SnippetStore.open(at: file)
    try await store.save(contentsOf: numbers.lazy.map { draft($0, pictures) })
    try await store.updateSearchIndex()
    try await store.close()
  }

  // MARK: - Start

  private func showFirst(_ file: URL, on display: WindowDisplay, into table: Table) async throws {
    var (ours, others): ([Duration], [Duration]) = ([], [])
    var (ownPeak, otherPeak) = (0.0, 0.0)
    // Its thumbnails are made and kept before anything is timed.
    _ = try time("snip-window", ["--store", file.path], on: display, &ownPeak)
    let plain = try await makePlainList(of: file)
    table.begin("gtk: first screen")
    for _ in 0..<Self.rounds {
      ours.append(try time("snip-window", ["--store", file.path], on: display, &ownPeak))
      others.append(try time("PlainList", [plain.path], on: display, &otherPeak))
    }
    let other = "GTK, an array and files"
    try table.add(
      TableRow(
        "first screen of \(Self.startRowCount) pictures",
        Quantity(ours.sorted()[Self.rounds / 2]),
        against: other,
        Quantity(others.sorted()[Self.rounds / 2]),
        goal: .ratio(atMost: 1.2)
      )
    )
    try table.add(
      TableRow(
        "peak memory after it",
        Quantity(ownPeak, .bytes),
        against: other,
        Quantity(otherPeak, .bytes),
        goal: .none
      )
    )
  }

  /// Starts a program, and takes the time until all its pictures are there.
  private func time(
    _ name: String,
    _ arguments: [String],
    on display: WindowDisplay,
    _ peak: inout Double
  ) throws -> Duration {
    let program = try ShownProgram(name, arguments, on: display, home: folder)
    let end = display.rest(for: .seconds(2))
    peak = program.peakByteCount
    program.stop()
    display.rest(for: .milliseconds(300))
    return end - program.start
  }

  /// The same rows as lines, and the kept thumbnails as files.
  private func makePlainList(of file: URL) async throws -> URL {
    let plain = folder.appendingPathComponent("plain")
    try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: true)
    let store = try await SnippetStore.open(at: file)
    let rows = try store.list().rows(in: 0..<Self.startRowCount)
    let lines = rows.map { row in
      "\(row.title)\t\(row.createdAt.formatted())  ·  320 × 240  ·  \(row.byteCount / 1000) kB"
    }
    try lines.joined(separator: "\n").write(
      to: plain.appendingPathComponent("rows"),
      atomically: true,
      encoding: .utf8
    )
    var thumbnails: [Int: Data] = [:]
    for (position, row) in rows.enumerated() {
      let number = Int(row.title.dropFirst(8)) ?? 0
      if thumbnails[number % Self.pictureCount] == nil, let blobID = row.blobID {
        thumbnails[number % Self.pictureCount] = try await store.derivative(
          of: blobID,
          by: .encodedThumbnail()
        )
      }
      try thumbnails[number % Self.pictureCount]?.write(
        to: plain.appendingPathComponent("\(position).jpg")
      )
    }
    try await store.close()
    return plain
  }

  // MARK: - Frames

  /// What the window says of itself once it is closed.
  private struct Report: Decodable {
    /// When each frame was drawn, in seconds since 1970, our share of it and the longest step of
    /// that, in seconds.
    var frames: [[Double]]
    var viewsCreated: Int
    var viewsBound: Int
    var wrongDeliveries: Int
    var peakMemoryBytes: Double
    /// The pixels of the pictures that it showed in the end.
    var pictures: [UInt8]?
  }

  /// Runs the window for as long as something is done with it.
  ///
  /// - Returns: What it says of itself, with the frames of that time only.
  private func watch(
    _ file: URL,
    on display: WindowDisplay,
    _ body: () async throws -> Void
  ) async throws -> Report {
    let reportFile = folder.appendingPathComponent("report.json")
    let program = try ShownProgram(
      "snip-window",
      ["--store", file.path, "--report", reportFile.path],
      on: display,
      home: folder
    )
    display.rest(for: .seconds(2))
    let start = Date().timeIntervalSince1970
    try await body()
    let end = Date().timeIntervalSince1970
    display.rest()
    let pictures = display.pictures()
    try display.send("key", "ctrl+q")
    try program.waitForEnd()
    var report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: reportFile))
    report.pictures = pictures
    report.frames = report.frames.filter { (start...end).contains($0[0]) }
    guard report.frames.count > 100 else { throw RawError(message: "the window drew no frames") }
    return report
  }

  private func addRows(
    _ work: String,
    _ report: Report,
    goal: Goal,
    into table: Table
  ) throws {
    let own = report.frames.map { $0[1] }.sorted()
    for (name, percent, goal) in [("p50", 50, Goal.none), ("p99", 99, goal)] {
      let time = own[own.count * percent / 100]
      let row = TableRow(
        "\(work), our share of a frame \(name)",
        Quantity(time, .seconds),
        goal: goal
      )
      try table.add(row)
    }
    let isRight = report.wrongDeliveries == 0 && report.viewsCreated <= report.viewsBound
    try table.add(
      TableRow(
        "\(work), views made",
        Quantity(Double(report.viewsCreated), .allocations),
        against: "those that GTK keeps bound",
        Quantity(Double(report.viewsBound), .allocations),
        goal: .condition("≤, and no wrong delivery", isMet: isRight)
      )
    )
    try table.add(
      TableRow("\(work), peak memory", Quantity(report.peakMemoryBytes, .bytes), goal: .none)
    )
  }

  /// The wheel turned 120 times a second, and a page key held down.
  private func fling(
    _ file: URL,
    on display: WindowDisplay,
    into table: Table
  ) async throws {
    let report = try await watch(file, on: display) {
      try display.send("mousemove", "400", "400")
      for direction in ["5", "4"] {
        try display.send("click", "--repeat", "500", "--delay", "8", direction)
      }
      for key in ["Next", "Prior"] {
        try display.send("key", "--repeat", "300", "--repeat-delay", "16", key)
      }
    }
    try addRows(
      "fling \(rowCount) pictures",
      report,
      goal: .atMost(Quantity(.milliseconds(4))),
      into: table
    )
  }

  /// 500 changes a second by another process for 20 seconds, half of them at the top.
  private func storm(
    _ file: URL,
    _ pictures: [Data],
    on display: WindowDisplay,
    into table: Table
  ) async throws {
    let store = try await SnippetStore.open(at: file)
    let list = store.list()
    var number = 10_000_000
    let report = try await watch(file, on: display) {
      let start = ContinuousClock.now
      for step in 1...1_000 {
        try await store.save(
          contentsOf: (0..<5).map { place in
            number += 1
            let age = place % 2 == 0 ? 0 : Double.random(in: 0...10_000)
            return draft(number, pictures, age: age)
          }
        )
        let rows = try (0..<5).compactMap { place in
          try list.row(at: place % 2 == 0 ? .random(in: 0..<20) : .random(in: 0..<9_000))
        }
        try await store.delete(Array(Set(rows.map(\.id))))
        try await Task.sleep(until: start + .milliseconds(20) * step)
      }
    }
    try await store.close()
    let longest = report.frames.map { $0[2] }.max() ?? 0
    try table.add(
      TableRow(
        "500 changes a second, our longest step",
        Quantity(longest, .seconds),
        goal: .atMost(Quantity(.milliseconds(8)))
      )
    )
    try addRows("500 changes a second", report, goal: .none, into: table)
    // Every row is right if a window that is opened now shows the same.
    let fresh = try ShownProgram("snip-window", ["--store", file.path], on: display, home: folder)
    display.rest(for: .seconds(2))
    // The processor scales a picture with an error of one, by what else it draws in one go.
    let isSame = zip(display.pictures(), report.pictures ?? []).allSatisfy {
      abs(Int($0) - Int($1)) < 8
    }
    fresh.stop()
    try table.add(
      TableRow(
        "500 changes a second, then a screen as of a new window",
        Quantity(isSame ? 1 : 0, .share),
        goal: .condition("the same", isMet: isSame)
      )
    )
  }
}
