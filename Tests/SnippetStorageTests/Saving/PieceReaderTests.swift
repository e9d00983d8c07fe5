import Foundation
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import SystemPackage
import Testing

@testable import SnippetStorage

/// What is read on another thread, while what came before is written.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PieceReaderTests {
  private static let step = BlobStaging.stepByteCount

  // the reader's thread     the caller
  // reads the first piece
  // begins the second  ───▶ is done with the first
  @Test func `a piece is read while the one before it is used`() throws {
    let begun = Gate()
    let bytes = Samples.bytes(1000)
    let source = WatchedBytes(bytes) { offset in
      if offset == 600 { begun.open() }
    }
    var pieces: [Data] = []

    let hash = try PieceReader(size: 600).forEachPiece(of: source) { piece in
      begun.blockUntilOpen()
      pieces.append(Data(piece))
    }

    #expect(pieces == [bytes.prefix(600), bytes.dropFirst(600)].map { Data($0) })
    #expect(hash == ContentHash.of(bytes))
  }

  @Test(arguments: [0, 1, 599, 600, 601, 1200, 1201])
  func `a reader reads one source after the other`(_ count: Int) throws {
    let reader = PieceReader(size: 600)
    for seed in UInt64(1)...3 {
      let bytes = Samples.bytes(count, seed: seed)
      var read = Data()

      let hash = try reader.forEachPiece(of: WatchedBytes(bytes)) { read.append(contentsOf: $0) }

      #expect(read == bytes)
      #expect(hash == ContentHash.of(bytes))
    }
  }

  // the reader's thread     the caller
  // reads the first piece
  // begins the second  ───▶ throws
  // reads on           ◀─── waits for that
  @Test func `an error waits for what is being read, and the reader can be used again`() throws {
    let (begun, ended) = (Gate(), Lock(false))
    let reader = PieceReader(size: 600)
    let source = WatchedBytes(Samples.bytes(1000)) { offset in
      guard offset == 600 else { return }
      begun.open()
      sched_yield()
      ended.withLock { $0 = true }
    }

    #expect(throws: CancellationError.self) {
      _ = try reader.forEachPiece(of: source) { _ in
        begun.blockUntilOpen()
        throw CancellationError()
      }
    }

    #expect(ended.withLock { $0 })
    let bytes = Samples.bytes(700, seed: 2)
    #expect(
      try reader.forEachPiece(of: WatchedBytes(bytes)) { _ in } == ContentHash.of(bytes)
    )
  }

  @Test func `a failure of reading is thrown behind the pieces before it`() throws {
    let source = WatchedBytes(Samples.bytes(1000)) { offset in
      if offset == 600 { throw FileError("a broken disk", .ioError) }
    }
    var count = 0

    #expect(throws: FileError.self) {
      _ = try PieceReader(size: 600).forEachPiece(of: source) { _ in count += 1 }
    }

    #expect(count == 1)
  }

  @Test func `files behind large ones become what they are`() async throws {
    let store = try TemporaryStore.open()
    let sound = Samples.wav(frameCount: Self.step)
    let contents: [(name: String, bytes: Data?)] = [
      ("large", sound), ("picture", Samples.png), ("large again", sound + [1]), ("missing", nil),
      ("unknown", Data([0, 1, 2, 3])), ("also large", sound + [2]), ("text", Data("milk".utf8)),
      ("last", sound + [3]),
    ]
    let drafts = try contents.map { name, bytes in
      let file = TemporaryDirectory.file(name)
      try bytes?.write(to: file)
      return SnippetDraft(.file(at: file))
    }
    var codes: [Int: SnippetStoreError.Code] = [:]

    let report = try store.blockingSave(contentsOf: drafts) { event in
      if case .failed(let index, let error) = event { codes[index] = error.code }
    }

    #expect(codes == [3: .noSuchFile, 4: .unsupportedContent])
    #expect(report.savedCount == 6)
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    for row in rows {
      let bytes = contents.first { $0.name == row.title }?.bytes
      #expect(try await store.content(of: row.id) == bytes, "\(row.title)")
    }
    #expect(rows.map(\.title) == ["also large", "large", "large again", "last", "picture", "text"])
  }

  // A sequence that reads an archive has no next draft before the stream of the last one is read.
  @Test func `a stream is read to its end before the draft behind it is taken`() throws {
    let store = try TemporaryStore.open()
    let sound = Samples.wav(frameCount: Self.step)
    let current = Lock(-1)
    let drafts = (0..<3).lazy.map { number in
      current.withLock { $0 = number }
      let pieces = Lock([sound.prefix(1 << 20), sound.dropFirst(1 << 20)].map { Data($0) }[...])
      return SnippetDraft(
        .stream {
          #expect(current.withLock { $0 } == number)
          return pieces.withLock { $0.popFirst() }
        }
      )
    }

    let report = try store.blockingSave(contentsOf: drafts)

    #expect(report.savedCount == 3)
  }

  // To hash the whole file would take minutes.
  @Test func `whoever waits for a file that is prepared ahead can be cancelled`() throws {
    let file = TemporaryDirectory.file("endless")
    try Samples.wav().write(to: file)
    #expect(truncate(file.path, 100 << 30) == 0)
    let draft = SnippetDraft(.file(at: file))
    let ahead = try #require(PreparationAhead(draft, now: Samples.date, operation: "test"))

    #expect(throws: CancellationError.self) {
      _ = try ahead.finish { throw CancellationError() }
    }
  }

  // preparing ahead          the batch
  //                          writes the first of two large files, cancels
  // ends
  @Test func `what is prepared ahead ends when the batch is cancelled`() async throws {
    let (store, canceller) = (try TemporaryStore.open(), Canceller())
    let file = TemporaryDirectory.file("next")
    try Samples.wav(frameCount: 3 * Self.step).write(to: file)
    let first = ChangingBytes(nil, size: 2 * Self.step) { canceller.cancel() }
    let drafts = [
      SnippetDraft(
        SnippetContent(source: .collected(first)),
        kind: .image,
        mediaType: "image/x-sample"
      ),
      SnippetDraft(.file(at: file)),
    ]

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run { try await store.save(contentsOf: drafts) }
    }

    #expect(error?.code == .cancelled)
    #expect(try await store.information().blobCount == 0)
  }
}

/// Bytes that tell where they are read.
private struct WatchedBytes: ByteSource {
  let bytes: MemoryBytes
  let onRead: @Sendable (Int64) throws -> Void

  init(_ bytes: Data, onRead: @escaping @Sendable (Int64) throws -> Void = { _ in }) {
    self.bytes = MemoryBytes(data: bytes)
    self.onRead = onRead
  }

  var byteCount: Int64 { bytes.byteCount }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try onRead(offset)
    return try bytes.read(into: buffer, at: offset)
  }
}
