import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Whatever a column holds, nothing that a store does traps or hangs: it works, or throws an error
/// of the store.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct WrongValueTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let original: Data

  /// How many are tried in a run, unless all are, which takes a quarter of an hour.
  private static let share = 4

  init() async throws {
    let store = try SnippetStore(at: file)
    for number in 0..<3 {
      try await store.save(SnippetDraft(.text("text \(number) word"), tags: ["a", "b\(number)"]))
    }
    try await store.save(SnippetDraft(.text(Samples.longText()), title: "long", tags: ["a"]))
    let image = try await store.save(Samples.image(Samples.bytes(70_000), title: "image"))
    try await store.save(SnippetDraft(.bytes(Samples.wav()), title: "voice"))
    let gone = try await store.save(SnippetDraft(.text("word in the trash"), tags: ["a"]))
    try await store.moveToTrash([gone.id])
    try await store.saveDerivatives([
      Derivative(
        blobID: try #require(image.blobID),
        recipe: Recipe("small"),
        data: Data("small".utf8)
      )
    ])
    try await store.updateSearchIndex()
    let capture = try await store.startCapture(title: "captured", tags: ["c"], kind: .voice)
    try await capture.append(Samples.bytes(300_000))
    try await capture.save()
    try await store.save(SnippetDraft(.text("a word after the index")))
    try await store.close()
    original = try Data(contentsOf: file)
  }

  @Test func `a value of another type or size never traps`() async throws {
    var random = SeededGenerator()
    let values = try WrongValue.all(in: file).shuffled(using: &random)
    #expect(Set(values.map(\.table)).count > 15)
    for value in values.share(Self.share, using: &random) {
      try FileManager.default.removeItem(at: TemporaryDirectory.current.url)
      try FileManager.default.createDirectory(
        at: TemporaryDirectory.current.url,
        withIntermediateDirectories: true
      )
      try original.write(to: file)
      guard try value.write(to: file) else { continue }
      for use in StoreUse.all {
        do {
          try await use.run(on: file)
        } catch {
          #expect(error is SnippetStoreError, "\(value), \(use): \(error)")
        }
      }
    }
  }
}
