import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CheckTests {
  @Test(arguments: StorePlace.allCases)
  func `a sound store passes, and everything was looked at`(_ place: StorePlace) async throws {
    let store = try place.open()
    _ = try await store.save(SnippetDraft(.text("text"), tags: ["a", "b"]))
    _ = try await store.save(SnippetDraft(.text("")))
    _ = try await store.save(SnippetDraft(.text(Samples.longText()), tags: ["a"]))
    _ = try await store.save(Samples.image(Samples.bytes(700_000)))
    _ = try await store.save(Samples.voice(Samples.bytes(700_000)))
    let progress = Lock<[StoreProgress]>([])

    let report = try await store.check { step in progress.withLock { $0.append(step) } }

    #expect(report.isSound)
    #expect(report.problems.isEmpty)
    #expect(report.snippetCount == 5)
    #expect(report.blobCount == 2)
    #expect(report.blobByteCount == Int64(700_000 + Samples.longText().utf8.count))
    let steps = progress.withLock { $0 }
    #expect(steps.map(\.completedByteCount) == steps.map(\.completedByteCount).sorted())
    #expect(steps.last?.completedByteCount == report.blobByteCount)
    #expect(steps.allSatisfy { $0.totalByteCount == report.blobByteCount })
  }

  @Test func `an empty store passes`() async throws {
    let report = try await TemporaryStore.open().check()

    #expect(report.isSound)
    #expect(report.snippetCount == 0)
  }

  @Test func `irregular content is marked in its row, and noted, which is no problem`() async throws
  {
    let store = try TemporaryStore.open()
    let picture = try SampleFiles.demo("mountain-lake.jpg")
    let cut = try await store.save(SnippetDraft(.bytes(picture.dropLast(2))))
    let text = try await store.save(
      SnippetDraft(.bytes(Data("n\u{E9} \u{E9}t\u{E9} ".utf8) + [0xFF]))
    )
    let whole = try await store.save(SnippetDraft(.bytes(picture)))

    let report = try await store.check()

    #expect(cut.facts.isIrregular && text.facts.isIrregular && !whole.facts.isIrregular)
    #expect(try store.row(cut.id) == cut)
    #expect(report.isSound)
    #expect(report.notes.count == 1 && report.notes[0].hasSuffix("as it came: 1, 2"))
    let shell = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      "SELECT about FROM snippets WHERE about LIKE '%cut short' OR about LIKE '%, irregular'"
    )
    #expect(shell.standardOutput.split(separator: "\n").count == 2, "\(shell)")

    // Another text is regular again.
    #expect(try await !store.apply(SnippetEdit(text: "whole"), to: text.id).facts.isIrregular)
    #expect(try await store.check().notes.count == 1)
  }

  @Test func `a store that is only read can be checked`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(Samples.image(Samples.bytes(1000)))
    let reader = try TemporaryStore.open(configuration: .init(access: .readOnly))

    #expect(try await reader.check().blobCount == 1)
  }

  @Test func `a recording that has lost a chunk is named`() async throws {
    let file = TemporaryDirectory.file("store.sqlite")
    let store = try SnippetStore(at: file)
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(Samples.bytes(1_500_000))
    #expect(try await store.check().isSound)
    let damage = try await Shell.sqlite3(
      file,
      "DROP TRIGGER blob_chunk_before_delete; DELETE FROM blob_chunk WHERE id = (1 << 20) + 2"
    )
    try #require(damage.status == 0, "\(damage)")

    let report = try await store.check()

    #expect(
      report.problems.map(\.description) == [
        "trigger blob_chunk_before_delete is missing", "chunk 2 of staged blob 1 is missing",
      ]
    )
    #expect(!report.isGarbageOnly)
    try await store.close()
  }

  @Test func `a file and its tags that have lost their snippet are named once`() async throws {
    let store = try TemporaryStore.open()
    try store.runWithoutTriggers(
      """
      INSERT INTO origin_folder (id, path) VALUES (1, '/folder');
      INSERT INTO origin (folder_id, path, snippet_id, modified_ns, byte_count, sha256)
      VALUES (1, 'a', 77, 0, 0, zeroblob(32)), (1, 'b', 78, 0, 0, zeroblob(32));
      INSERT INTO tag (id, name) VALUES (1, 'tag');
      INSERT INTO snippet_tag VALUES (77, 1);
      """
    )

    let report = try await store.check()

    #expect(
      report.problems.map(\.description) == [
        "origin refers to a row of snippet that is not there",
        "snippet_tag refers to a row of snippet that is not there",
      ]
    )
    #expect(report.isGarbageOnly)
    try await store.collectGarbage()
    #expect(try await store.check().isSound)
  }

  @Test func `a wrong search index is named beside garbage`() async throws {
    let file = TemporaryDirectory.file("store.sqlite")
    let store = try SnippetStore(at: file)
    try await store.save(SnippetDraft(.text("text")))
    try await store.updateSearchIndex()
    let edit = try await Shell.sqlite3(file, "UPDATE search_index SET body = 'x' WHERE rowid = 1")
    try #require(edit.status == 0, "\(edit)")
    try store.runWithoutTriggers("INSERT INTO tag (name) VALUES ('unused')")

    let report = try await store.check()

    #expect(
      report.problems.map(\.description) == [
        "tag 1 is carried by no snippet",
        "the search index holds other words of snippet 1 than it has",
      ]
    )
    #expect(!report.isGarbageOnly)
    try await store.close()
  }

  @Test func `statistics of the shell are no part of the schema`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("text")))

    _ = try await Shell.sqlite3(TemporaryDirectory.file("store.sqlite"), "ANALYZE")

    #expect(try await store.check().isSound)
  }

  // check                 test
  // blob is read ───────▶ saves, deletes
  @Test(arguments: StorePlace.allCases)
  func `a check sees one moment, and others write meanwhile`(_ place: StorePlace) async throws {
    let store = try place.open()
    let first = try await store.save(Samples.image(Samples.bytes(3000, seed: 1)))
    _ = try await store.save(Samples.image(Samples.bytes(3000, seed: 2)))
    let changes = Lock(0)

    let report = try await store.check { _ in
      let number = changes.withLock { count in
        count += 1
        return count
      }
      #expect(throws: Never.self) {
        try Threads.wait {
          _ = try await store.save(SnippetDraft(.text("written meanwhile \(number)")))
          if number == 1 { try await store.delete([first.id]) }
        }
      }
    }

    #expect(report.isSound)
    #expect(report.snippetCount == 2)
    #expect(report.blobCount == 2)
    #expect(try store.list().count == 3)
  }

  @Test func `a bad blob is named with all that use it, in the trash too`() async throws {
    let store = try SnippetStore(at: TemporaryDirectory.file("store.sqlite"))
    let bytes = Samples.bytes(3000)
    let rows = try await [
      store.save(Samples.image(bytes)), store.save(Samples.voice(bytes)),
      store.save(Samples.image(Samples.bytes(10))),
    ]
    try await store.moveToTrash([rows[1].id])
    try store.runWithoutTriggers(
      "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = \(1 << 20)"
    )

    let report = try await store.check()

    #expect(report.problems.map(\.description) == ["the bytes of blob 1 do not match its hash"])
    #expect(report.problems.first?.snippetIDs == [rows[0].id, rows[1].id])
    #expect(report.trashCount == 1)
    try await store.close()
  }

  @Test func `a cancelled check ends`() async throws {
    let store = try TemporaryStore.open()
    for seed in 0..<3 {
      _ = try await store.save(Samples.image(Samples.bytes(3000, seed: UInt64(seed))))
    }
    let (canceller, steps) = (Canceller(), Lock(0))
    let onProgress: @Sendable (StoreProgress) -> Void = { _ in
      steps.withLock { $0 += 1 }
      canceller.cancel()
    }

    let code = await errorCode {
      try await canceller.run { try await store.check(onProgress: onProgress) }
    }

    #expect(code == .cancelled)
    #expect(steps.withLock { $0 } == 1)
  }

  @Test func `a check of a closed store is refused`() async throws {
    for place in [StorePlace.mappedFile, .memory] {
      let store = try await place == .memory ? SnippetStore.inMemory() : TemporaryStore.open()
      try await store.close()

      #expect(await errorCode { try await store.check() } == .closed)
    }
  }
}
