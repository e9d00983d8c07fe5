import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What a restore does about captures in the store whose content it replaces.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RestoredCaptureTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let backup = TemporaryDirectory.file("backup.sqlite")

  @Test func `a store with a capture in progress is not replaced`() async throws {
    try await makeBackup()
    let store = try TemporaryStore.open()
    let old = try await store.save(SnippetDraft(.text("old")))
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(Samples.bytes(600_000))

    let error = try await #require(throws: SnippetStoreError.self) {
      try await SnippetStore.restore(from: backup, to: file)
    }

    #expect(error.code == .busy)
    #expect(
      error.description == """
        Could not restore \(file.path) from \(backup.path): capture \(capture.id) is in progress. \
        Nothing was changed. Finish it, or end the program that captures, then try again.
        """
    )
    #expect(try store.list().rows(in: 0..<9) == [old])
    let row = try await capture.finish()
    #expect(try await store.content(of: row.id) == Samples.bytes(600_000))
    try await SnippetStore.restore(from: backup, to: file)
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["in the backup"])
  }

  // restore                        recorder
  // finds no capture
  // copies the backup ───────────▶ starts a capture
  // finds it when nothing more can be written
  @Test func `a capture that begins during a restore is noticed before the content is replaced`()
    async throws
  {
    try await makeBackup()
    let store = try TemporaryStore.open()
    let capture = Lock<Capture?>(nil)

    let code = await errorCode {
      try await SnippetStore.restore(from: backup, to: file) { _ in
        capture.withLock { capture in
          guard capture == nil else { return }
          capture = try? Threads.wait { try await store.startCapture(kind: .voice) }
        }
      }
    }

    #expect(code == .busy)
    let begun = capture.withLock { $0 }
    let started = try #require(begun)
    try await started.append(Samples.bytes(10))
    let row = try await started.finish()
    #expect(try store.list().rows(in: 0..<9) == [row])
  }

  @Test(arguments: [0, 10, 262_144, 600_000])
  func `what a capture left is taken over`(byteCount: Int) async throws {
    // The numbers of the capture are those of a picture in the backup.
    try await makeBackup()
    let store = try TemporaryStore.open()
    try await leaveCapture(of: Samples.bytes(byteCount), in: store)
    let left = try #require(try await store.captures().first)

    try await SnippetStore.restore(from: backup, to: file)

    let captures = try await store.captures()
    let taken = try #require(captures.first)
    #expect(captures.count == 1)
    #expect(taken.id != left.id && !taken.isInProgress)
    #expect(taken.uuid == left.uuid && taken.kind == .voice && taken.title == "left")
    #expect(taken.tags == ["car", "x"] && taken.mediaType == "audio/x-sample")
    #expect(taken.startedAt == left.startedAt && taken.appendedAt == left.appendedAt)
    #expect(taken.byteCount == Int64(byteCount))
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["in the backup"])
    guard byteCount > 0 else { return }
    let row = try await store.finishCapture(taken.id)
    #expect(try await store.content(of: row.id) == Samples.bytes(byteCount))
  }

  @Test(arguments: [false, true])
  func `of a capture that the backup has too, the longer one stays`(
    isLongerInBackup: Bool
  ) async throws {
    let store = try TemporaryStore.open()
    let earlier = TemporaryDirectory.file("earlier.sqlite")
    try await {
      let capture = try await store.startCapture(kind: .voice)
      try await capture.append(Samples.bytes(300_000))
      try await capture.save()
      try await store.backUp(to: earlier)
      try await capture.append(Samples.bytes(400_000, seed: 2))
      try await capture.save()
      try await store.backUp(to: backup)
    }()
    try await untilNoneIsInProgress(in: store)

    try await SnippetStore.restore(from: earlier, to: file)
    #expect(try await store.captures().map(\.byteCount) == [700_000])
    if isLongerInBackup {
      for capture in try await store.captures() { try await store.discardCapture(capture.id) }
      try await SnippetStore.restore(from: earlier, to: file)
      #expect(try await store.captures().map(\.byteCount) == [300_000])
    }
    try await SnippetStore.restore(from: backup, to: file)

    let captures = try await store.captures()
    #expect(captures.map(\.byteCount) == [700_000])
    let row = try await store.finishCapture(try #require(captures.first?.id))
    let bytes = Samples.bytes(300_000) + Samples.bytes(400_000, seed: 2)
    #expect(try await store.content(of: row.id) == bytes)
  }

  @Test func `a capture that is a snippet in the backup is kept beside that`() async throws {
    let store = try TemporaryStore.open()
    let capture = try await store.startCapture(title: "captured", kind: .voice)
    try await capture.append(Samples.bytes(300_000))
    try await capture.save()
    let earlier = TemporaryDirectory.file("earlier.sqlite")
    try await store.backUp(to: earlier)
    let finished = try await capture.finish()
    try await store.backUp(to: backup)
    try await SnippetStore.restore(from: earlier, to: file)
    // Nothing writes it any more, though the process that began it goes on.
    #expect(try await store.captures().map(\.isInProgress) == [false])
    let processes = try await Shell.sqlite3(file, "SELECT process FROM staged_blob")
    #expect(processes.standardOutput == "\n")

    try await SnippetStore.restore(from: backup, to: file)

    let left = try #require(try await store.captures().first)
    let row = try await store.finishCapture(left.id)
    #expect(row.uuid != finished.uuid)
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["captured", "captured"])
  }

  // A restore is there to mend damage, and must not fail for it.
  @Test func `a capture whose bytes are damaged is lost with the content that is replaced`()
    async throws
  {
    try await makeBackup()
    let store = try TemporaryStore.open()
    try await leaveCapture(of: Samples.bytes(600_000), in: store)
    try await leaveCapture(of: Samples.bytes(300_000), in: store)
    let damaged = try #require(try await store.captures().first?.id.rawValue)
    try store.runWithoutTriggers("DELETE FROM blob_chunk WHERE id = \(damaged) << 20")

    try await SnippetStore.restore(from: backup, to: file)

    #expect(try await store.captures().map(\.byteCount) == [300_000])
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["in the backup"])
  }

  /// Makes a backup of another store, with a picture.
  private func makeBackup() async throws {
    let origin = try TemporaryStore.open("origin.sqlite")
    try await origin.save(Samples.image(Samples.bytes(700_000), title: "in the backup"))
    try await origin.backUp(to: backup)
  }

  private func leaveCapture(of bytes: Data, in store: SnippetStore) async throws {
    try await {
      let capture = try await store.startCapture(
        title: "left",
        tags: ["car", "x"],
        kind: .voice,
        mediaType: "audio/x-sample"
      )
      try await capture.append(bytes)
      try await capture.save()
    }()
    try await untilNoneIsInProgress(in: store)
  }

  /// Waits for the thread that saved a capture to release it.
  private func untilNoneIsInProgress(in store: SnippetStore) async throws {
    while try await store.captures().contains(where: \.isInProgress) { await Task.yield() }
  }
}
