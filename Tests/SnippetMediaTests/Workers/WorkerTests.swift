import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetMedia

@Suite(
  .enabled(if: MediaSupport.current.decodesImages),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct WorkerTests {
  private let request = ThumbnailRequest(maximumPixelSize: 64)

  private func picture() throws -> MediaInput {
    MediaInput(try DemoFile.bytes("mountain-lake.jpg"))
  }

  /// A program of the shell in place of a worker.
  private func pretending(_ script: String, timeLimit: Duration = .seconds(10)) -> WorkerMedia {
    WorkerMedia(
      .init(
        executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script],
        limits: MediaLimits(timeLimit: timeLimit)
      )
    )
  }

  /// The words that a worker says, as the shell prints them.
  private func words(_ numbers: UInt64...) -> String {
    let bytes = numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
    return bytes.map { "\\" + String($0, radix: 8) }.joined()
  }

  @Test func `a program that is not there fails as that`() throws {
    let media = WorkerMedia(.init(executable: TemporaryDirectory.file("none")))

    let error = #expect(throws: MediaError.self) {
      try media.thumbnail(of: try picture(), as: request) { false }
    }

    #expect(error?.code == .workerMissing && error?.isRetryable == false)
    let loadError = error.map { LoadError($0) }
    #expect(loadError?.code == .decoderUnavailable && loadError?.isRetryable == false)
    #expect(loadError?.description.contains("No such file or directory. Install") == true)
  }

  @Test(arguments: ["exit 0", "exit 7", "kill -9 $$"])
  func `a program that is no worker fails as that`(script: String) throws {
    let error = #expect(throws: MediaError.self) {
      try pretending(script).thumbnail(of: try picture(), as: request) { false }
    }

    #expect(error?.code == .workerUnavailable)
  }

  @Test(.enabled(if: MediaSupport.current.decodableTypes.contains(.heic)))
  func `a picture does not fail for the reason of another`() throws {
    let workers = Decoder.workers()
    // It is decoded, and yet leaves an error in the library.
    let whole = MediaInput(try #require(CodecSample.bytes(of: .heic)))
    var damaged = try DemoFile.bytes("sunset-over-hills.png")
    // The checksum of the header.
    damaged[29] ^= 0xFF

    _ = try workers.thumbnail(of: whole, as: request) { false }
    let error = #expect(throws: MediaError.self) {
      try workers.thumbnail(of: MediaInput(damaged), as: request) { false }
    }

    #expect(error?.reason.contains("source") == false, "\(error as Any)")
  }

  @Test func `a worker that crashes on a file is reported, and the next file gets another`() throws
  {
    let crashing = pretending(
      "printf '\(words(1, 0, 0, 2, 0, 16))' >&0; head -c 72 >/dev/null; kill -SEGV $$"
    )

    let error = #expect(throws: MediaError.self) {
      try crashing.thumbnail(of: try picture(), as: request) { false }
    }

    #expect(error?.code == .crashed)
    #expect(error?.reason == "the process that decoded it was ended by signal 11")
  }

  @Test func `a worker that does not come to an end is killed`() throws {
    let hanging = pretending(
      "printf '\(words(1, 0, 0))' >&0; exec sleep 600",
      timeLimit: .milliseconds(300)
    )
    let clock = ContinuousClock()

    let time = clock.measure {
      let error = #expect(throws: MediaError.self) {
        try hanging.thumbnail(of: try picture(), as: request) { false }
      }
      #expect(error?.code == .timedOut && error?.isRetryable == false)
    }

    #expect(time < .seconds(60))
  }

  /// Programs in place of a worker that always go on, a little at a time.
  private var endless: [(script: String, does: String)] {
    let asking = words(2, 0, 1 << 20)
    return [
      (
        "printf '\(words(3, 0, 100_000_000))' >&0; while printf x >&0; do sleep 0.1; done",
        "sends a result byte by byte"
      ),
      ("while printf '\\001' >&0; do sleep 0.1; done", "sends a message byte by byte"),
      (
        "printf '\(asking)' >&0; while head -c 1 >/dev/null; do sleep 0.1; done",
        "takes what it has asked for byte by byte"
      ),
      ("while printf '\(words(2, 0, 1))' >&0; do head -c 9 >/dev/null; done", "asks without end"),
      ("while printf '\(words(5, 0, 0))' >&0; do :; done", "sends parts without end"),
    ]
  }

  @Test(arguments: 0..<5)
  func `a worker that goes on a little at a time is killed at the limit`(number: Int) throws {
    let (script, does) = endless[number]
    let slow = pretending(
      "printf '\(words(1, 0, 0))' >&0; \(script)",
      timeLimit: .milliseconds(300)
    )
    let input = MediaInput(Data(count: 2 << 20))

    let error = #expect(throws: MediaError.self) {
      try slow.thumbnail(of: input, as: request) { false }
    }

    #expect(error?.code == .timedOut, "a worker that \(does): \(error?.reason ?? "")")
  }

  @Test func `a worker that nobody waits for is killed`() throws {
    let hanging = pretending("printf '\(words(1, 0, 0))' >&0; exec sleep 600")
    var questions = 0

    let error = #expect(throws: MediaError.self) {
      try hanging.thumbnail(of: try picture(), as: request) {
        questions += 1
        return questions > 1
      }
    }

    #expect(error?.code == .cancelled)
  }

  @Test(arguments: [
    [UInt64.max, 0, 0],  // no such message
    [2, .max, 1],  // a place that is none
    [2, 0, .max],  // more than may be asked for
    [3, 0, .max],  // a result without end
    [4, 99, 0],  // a failure without a name
    [1, 0, 0],  // once more the beginning
  ])
  func `a worker that talks nonsense is as one that crashed`(message: [UInt64]) throws {
    let talking = pretending(
      """
      printf '\(words(1, 0, 0, 2, 0, 16))' >&0; head -c 80 >/dev/null; \
      printf '\(message.map { words($0) }.joined())' >&0; sleep 600
      """
    )

    let error = #expect(throws: MediaError.self) {
      try talking.thumbnail(of: try picture(), as: request) { false }
    }

    #expect(error?.code == .crashed)
  }

  @Test func `a result that is no picture is as a crash`() throws {
    let lying = pretending("printf '\(words(1, 0, 0, 3, 0, 0))' >&0; exec sleep 600")

    let error = #expect(throws: MediaError.self) {
      try lying.thumbnail(of: try picture(), as: request) { false }
    }

    #expect(error?.code == .crashed)
  }

  @Test func `one worker serves many files, and no more than it may`() throws {
    let media = Decoder.workers(jobsPerWorker: 2)

    for _ in 0..<5 {
      #expect(try media.thumbnail(of: try picture(), as: request) { false }.pixelWidth == 64)
    }
  }

  @Test func `many ask at once`() async throws {
    let media = Decoder.workers()
    let picture = try picture()

    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await Threads.run {
            try media.thumbnail(of: picture, as: ThumbnailRequest(maximumPixelSize: 64)) { false }
              .pixelWidth
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(sizes == [Int](repeating: 64, count: 8))
  }

  @Test func `nothing is left behind: no process, no descriptor`() async {
    // What other tests start and open meanwhile does not count.
    await #expect(processExitsWith: .success) {
      let picture = MediaInput(try DemoFile.bytes("mountain-lake.jpg"))
      let before = try openSockets()

      for _ in 0..<3 {
        let media = Decoder.workers()
        _ = try media.thumbnail(of: picture, as: ThumbnailRequest(maximumPixelSize: 64)) { false }
        _ = try? media.thumbnail(
          of: MediaInput(Data([1, 2, 3])),
          as: ThumbnailRequest(maximumPixelSize: 64)
        ) { false }
      }

      #expect(try openSockets().subtracting(before) == [])
      // No child is left to wait for: neither running nor ended.
      #expect(try ChildProcesses.numbers() == [])
    }
  }
}

/// What workers are spoken to over, each by its own name.
private func openSockets() throws -> Set<String> {
  #if os(Linux)
  let folder = "/proc/self/fd"
  let names = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
    // The one that lists the folder is closed by now, and leads nowhere.
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
  }
  return Set(names.filter { $0.hasPrefix("socket:") })
  #else
  return []
  #endif
}
