import CoreBenchmarks
import CSounds
import Foundation
import SnippetMedia

/// Thumbnails against `vipsthumbnail`, and waveforms against reading a recording once in C.
///
/// The pictures are made with Debian's `libvips-tools` and, for BMP and HEIC, `imagemagick` and
/// `libheif-examples`.
struct MediaBenchmarks {
  /// The formats, and how long a thumbnail may take at most beside `vipsthumbnail`.
  private static let formats = [
    ("jpg", 0.7), ("png", 0.9), ("webp", 0.7), ("bmp", 1), ("heic", 1),
  ]
  private static let size = 320
  private static let pictureCount = 2

  let folder: URL

  func run(into table: Table) throws {
    try addThumbnails(to: table)
    try addWaveforms(to: table)
  }

  /// Makes one thumbnail: what a process does whose memory is measured.
  static func decode(_ path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try thumbnail(of: bytes, with: LibraryMedia())
  }

  private static func thumbnail(of bytes: Data, with media: any MediaMaking) throws -> Thumbnail {
    let request = ThumbnailRequest(maximumPixelSize: size, isEncoded: true)
    return try media.thumbnail(of: MediaInput(bytes), as: request) { false }
  }

  // MARK: - Thumbnails

  private func addThumbnails(to table: Table) throws {
    try makePictures()
    let worker = WorkerMedia(
      .init(executable: ChildProcess.own, arguments: ["--decode-media"], limits: MediaLimits())
    )
    for (format, most) in Self.formats {
      table.begin("media: thumbnails of \(format)")
      let path = folder.appendingPathComponent("picture.\(format)").path
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let work = "thumbnail of 4096 x 4096 \(format)"
      // Files of their own, because libvips remembers what it made of one.
      let copies = try (0..<Self.pictureCount).map { number in
        let copy = folder.appendingPathComponent("\(number).\(format)").path
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
      }
      let inProcess = try Comparison(rounds: 3) { _ in
        for _ in copies { _ = try Self.thumbnail(of: bytes, with: LibraryMedia()) }
      } others: { _ in
        try vipsThumbnail(copies)
      }
      let inWorker = try Comparison(rounds: 3) { _ in
        for _ in copies { _ = try Self.thumbnail(of: bytes, with: worker) }
      } others: { _ in
        try vipsThumbnail(copies)
      }
      let rows = [
        TableRow(
          work,
          Quantity(inProcess.ours / Self.pictureCount),
          against: "vipsthumbnail of \(Self.pictureCount)",
          Quantity(inProcess.others / Self.pictureCount),
          goal: .ratio(atMost: most)
        ),
        TableRow(
          "\(work), in a worker",
          Quantity(inWorker.ours / Self.pictureCount),
          against: "vipsthumbnail of \(Self.pictureCount)",
          Quantity(inWorker.others / Self.pictureCount),
          goal: .none
        ),
        TableRow(
          "memory for a \(work)",
          Quantity(
            try ChildProcess.memory(
              of: ChildProcess.own.path,
              ["--decode-one", path],
              in: folder
            ),
            .bytes
          ),
          against: "vipsthumbnail",
          Quantity(
            try ChildProcess.memory(of: "vipsthumbnail", arguments([path]), in: folder),
            .bytes
          ),
          goal: .none
        ),
      ]
      for row in rows { try table.add(row) }
    }
  }

  private func makePictures() throws {
    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
    for (number, band) in ["a", "b", "c"].enumerated() {
      try ChildProcess.run(
        "vips",
        ["perlin", file("\(band).v"), "4096", "4096", "--uchar", "--cell-size", "\(64 << number)"]
      )
    }
    try ChildProcess.run(
      "vips",
      ["bandjoin", ["a", "b", "c"].map { file("\($0).v") }.joined(separator: " "), file("p.v")]
    )
    for format in ["jpg", "png", "webp"] {
      try ChildProcess.run("vips", ["copy", file("p.v"), file("picture.\(format)")])
    }
    try ChildProcess.run("convert", [file("picture.png"), "BMP3:" + file("picture.bmp")])
    try ChildProcess.run("heif-enc", ["-o", file("picture.heic"), file("picture.png")])
  }

  private func arguments(_ paths: [String]) -> [String] {
    ["--size", "\(Self.size)x\(Self.size)>", "-o", "\(folder.path)/out-%s.jpg[strip]"] + paths
  }

  private func vipsThumbnail(_ paths: [String]) throws {
    try ChildProcess.run("vipsthumbnail", arguments(paths))
  }

  // MARK: - Waveforms

  private func addWaveforms(to table: Table) throws {
    let file = folder.appendingPathComponent("minutes.wav")
    try Self.recording(seconds: 600).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let byteCount = Int64(try handle.seekToEnd())
    let descriptor = handle.fileDescriptor
    let input = MediaInput(byteCount: byteCount) { buffer, offset in
      pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    let worker = WorkerMedia(.init(executable: ChildProcess.own, arguments: ["--decode-media"]))
    func measure(_ media: any MediaMaking, _ work: String) throws -> TableRow {
      try Comparison(rounds: 10) { _ in
        let waveform = try media.waveform(of: input, peakCount: 100) { false }
        guard waveform.peaks.count == 100 else { throw RawError(message: "no peaks") }
      } others: { _ in
        guard sounds_read_once(file.path) > 0 else { throw RawError(message: "nothing read") }
      }.row(work, against: "libsndfile reading once")
    }
    try table.add(measure(LibraryMedia(), "waveform of 10 minutes, stereo"))
    try table.add(measure(worker, "waveform of 10 minutes, in a worker"))
  }

  /// A WAV of a slow beat at 44,100 samples a second, in stereo.
  private static func recording(seconds: Int) -> Data {
    let frameCount = 44_100 * seconds
    func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
      withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }
    var data = Data("RIFF".utf8) + little(UInt32(36 + frameCount * 4)) + Data("WAVEfmt ".utf8)
    data += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(2)) + little(UInt32(44_100))
    data += little(UInt32(176_400)) + little(UInt16(4)) + little(UInt16(16)) + Data("data".utf8)
    data += little(UInt32(frameCount * 4))
    let second = (0..<44_100).flatMap { frame -> [Int16] in
      let sample = sin(Double(frame) / 16) * (1 - Double(frame) / 44_100) * 30_000
      return [Int16(sample), Int16(-sample / 2)]
    }
    let bytes = second.withUnsafeBytes { Data($0) }
    for _ in 0..<seconds { data += bytes }
    return data
  }
}
