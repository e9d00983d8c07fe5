import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory)
struct ContentSavingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  // The limits are those of a text that is kept as text, of a chunk, and of what is kept in memory
  // until it is written.
  @Test(
    arguments: [
      1, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 1_048_575, 1_048_576, 1_048_577,
      5_000_003,
    ],
    Source.allCases
  )
  func `content of any size is kept byte for byte`(_ byteCount: Int, _ source: Source) async throws
  {
    let bytes = Self.noise.prefix(byteCount)
    let content = try await source.content(bytes)

    let row = try await store.save(
      SnippetDraft(content, kind: .voice, mediaType: "audio/x-sample", title: "noise")
    )

    #expect(row.kind == .voice)
    #expect(row.mediaType == "audio/x-sample")
    #expect(row.byteCount == Int64(byteCount))
    #expect(try await store.content(of: row.id) == bytes)
  }

  @Test(arguments: Source.allCases)
  func `an image and a recording are told by their bytes`(_ source: Source) async throws {
    let image = try await store.save(SnippetDraft(try await source.content(Samples.png)))
    let voice = try await store.save(SnippetDraft(try await source.content(Samples.wav())))

    #expect(image.kind == .image)
    #expect(image.mediaType == "image/png")
    #expect(image.facts == MediaFacts(pixelWidth: 1, pixelHeight: 1))
    #expect(voice.kind == .voice)
    #expect(voice.mediaType == "audio/wav")
    #expect(voice.facts == MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1))
    #expect(image.preview.isEmpty && voice.preview.isEmpty)
    #expect(try await store.content(of: image.id) == Samples.png)
    #expect(try await store.content(of: voice.id) == Samples.wav())
  }

  @Test(arguments: [
    ("holiday.png", "holiday"), ("v1.2 final.jpeg", "v1.2 final"), ("plain", "plain"),
  ])
  func `a file gives its name and its date`(_ name: String, _ title: String) async throws {
    let file = TemporaryDirectory.file(name)
    try Samples.png.write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Samples.date],
      ofItemAtPath: file.path
    )

    let row = try await store.save(SnippetDraft(.file(at: file)))

    #expect(row.title == title)
    #expect(row.createdAt == Samples.date)
  }

  @Test func `a draft's own title and date go before those of the file`() async throws {
    let file = TemporaryDirectory.file("holiday.png")
    try Samples.png.write(to: file)

    let row = try await store.save(
      SnippetDraft(.file(at: file), title: "mine", createdAt: Samples.date)
    )

    #expect(row.title == "mine")
    #expect(row.createdAt == Samples.date)
  }

  @Test func `an image without a title has none`() async throws {
    #expect(try await store.save(SnippetDraft(.bytes(Samples.png))).title.isEmpty)
  }

  @Test func `a media type given goes before the one that is told`() async throws {
    let row = try await store.save(SnippetDraft(.bytes(Samples.png), mediaType: "image/x-mine"))

    #expect(row.mediaType == "image/x-mine")
    #expect(row.facts.pixelWidth == 1)
  }

  @Test func `a part of a larger piece of memory is kept as it is`() async throws {
    let all = Self.noise.prefix(300_000)
    let part = all[100_001..<299_999]

    let row = try await store.save(Samples.image(part))

    #expect(try await store.content(of: row.id) == Data(part))
  }

  @Test func `a draft that contradicts its bytes is refused`() async throws {
    for refused in RefusedDraft.all {
      let code = await errorCode { try await store.save(refused.draft) }

      #expect(code == refused.code, "\(refused)")
      #expect(try store.list().count == 0, "\(refused)")
      #expect(try await store.information().blobCount == 0, "\(refused)")
    }
  }

  @Test func `a file that cannot be read is refused with its reason`() async throws {
    let missing = TemporaryDirectory.file("missing")
    let folder = TemporaryDirectory.file("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let pipe = TemporaryDirectory.file("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)

    for (file, code) in [
      (missing, SnippetStoreError.Code.noSuchFile), (folder, .unreadable), (pipe, .unreadable),
    ] {
      let error = await #expect(throws: SnippetStoreError.self) {
        try await store.save(SnippetDraft(.file(at: file)))
      }
      #expect(error?.code == code)
      #expect(error?.reason.contains(file.path) == true)
    }
  }

  private static let noise = Samples.bytes(5_000_003)
}
