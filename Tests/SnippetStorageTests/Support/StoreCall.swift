import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Every call of a store that reads or writes its file.
struct StoreCall: Sendable, CustomTestStringConvertible {
  /// What a call is made on.
  struct Subject: Sendable {
    var store: SnippetStore
    var snippet: SnippetID
    var blob: BlobID
  }

  var name: String
  /// Whether it blocks instead of waiting without a thread, and so is never cancelled.
  var blocks: Bool
  var call: @Sendable (Subject) async throws -> Void

  var testDescription: String { name }

  func run(on subject: Subject) async throws {
    try await call(subject)
  }

  /// Runs the call, which the store must refuse; returns the error.
  @discardableResult
  func expectRefusal(
    on subject: Subject,
    _ code: SnippetStoreError.Code,
    because reason: String? = nil,
    advice: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> SnippetStoreError? {
    let error = await #expect(
      throws: SnippetStoreError.self,
      "\(name)",
      sourceLocation: sourceLocation
    ) {
      try await run(on: subject)
    }
    #expect(error?.code == code, "\(name)", sourceLocation: sourceLocation)
    if let reason {
      #expect(error?.reason == reason, "\(name)", sourceLocation: sourceLocation)
    }
    if let advice {
      #expect(error?.recoverySuggestion == advice, "\(name)", sourceLocation: sourceLocation)
    }
    return error
  }

  /// Saves what the calls work on.
  static func subject(in store: SnippetStore) async throws -> Subject {
    let row = try await store.save(SnippetDraft(.text(Samples.longText())))
    return Subject(store: store, snippet: row.id, blob: try #require(row.blobID))
  }

  static let all = reading + writing

  static let reading: [StoreCall] = [
    StoreCall("row", blocks: true) { _ = try $0.store.row($0.snippet) },
    StoreCall("count") { _ = try await $0.store.count() },
    StoreCall("count by a condition") { _ = try await $0.store.count(SnippetFilter(tags: ["a"])) },
    StoreCall("list count", blocks: true) { _ = try $0.store.list().count },
    StoreCall("list row(at:)", blocks: true) { _ = try $0.store.list().row(at: 0) },
    StoreCall("list rows(in:)", blocks: true) {
      _ = try $0.store.list(order: .byTitle).rows(in: 0..<3)
    },
    StoreCall("list position(of:)", blocks: true) {
      _ = try $0.store.list().position(of: $0.snippet)
    },
    StoreCall("lastChange") { _ = try await $0.store.lastChange },
    StoreCall("changes") {
      _ = try await $0.store.changes(after: ChangeNumber(rawValue: 0))
    },
    StoreCall("search") { _ = try await $0.store.search("a") as SearchResults },
    StoreCall("content") { _ = try await $0.store.content(of: $0.snippet) },
    StoreCall("blob") { _ = try await $0.store.content(of: $0.blob) },
    StoreCall("blobs") { _ = try await $0.store.content(of: [$0.blob]) },
    StoreCall("readBlob", blocks: true) { call in
      _ = try withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) {
        try call.store.readBlob(call.blob, into: $0)
      }
    },
    StoreCall("text") { _ = try await $0.store.text(of: $0.snippet) },
    StoreCall("forEachTextPiece", blocks: true) {
      try $0.store.forEachTextPiece(of: $0.snippet) { _ in }
    },
    StoreCall("forEachPiece", blocks: true) { try $0.store.forEachPiece(of: $0.snippet) { _ in } },
    StoreCall("pieces") { for try await _ in $0.store.pieces(of: $0.snippet) {} },
    StoreCall("recordings") { _ = try await $0.store.captures() },
    StoreCall("information") { _ = try await $0.store.information() },
    StoreCall("derivative") { _ = try await $0.store.derivative(of: $0.blob, by: recipe) },
    StoreCall("storageUse") { _ = try await $0.store.storageUse() },
    StoreCall("check") { _ = try await $0.store.check() },
    StoreCall("backUp") {
      try await $0.store.backUp(to: TemporaryDirectory.file("backup-\(UUID()).sqlite"))
    },
  ]

  static let writing: [StoreCall] = [
    StoreCall("save") { _ = try await $0.store.save(SnippetDraft(.text("new"))) },
    StoreCall("save several") {
      _ = try await $0.store.save(contentsOf: [SnippetDraft(.text("new"))])
    },
    StoreCall("startCapture") { _ = try await $0.store.startCapture() },
    StoreCall("discardCapture") {
      try await $0.store.discardCapture(CaptureID(rawValue: 99))
    },
    StoreCall("update") {
      try await $0.store.apply(SnippetEdit(title: "new"), to: $0.snippet)
    },
    StoreCall("importFiles") {
      let file = TemporaryDirectory.file("import-\(UUID()).txt")
      try Data("a new text".utf8).write(to: file)
      try await $0.store.importFiles(at: [file])
    },
    StoreCall("moveToTrash") { try await $0.store.moveToTrash([$0.snippet]) },
    StoreCall("undelete") { try await $0.store.undelete([$0.snippet]) },
    StoreCall("saveDerivatives") {
      try await $0.store.saveDerivatives([derivative(of: $0.blob)])
    },
    StoreCall("deleteDerivatives") { try await $0.store.deleteDerivatives() },
    StoreCall("collectGarbage") { try await $0.store.collectGarbage() },
    StoreCall("emptyTrash") { try await $0.store.emptyTrash() },
    StoreCall("purge") { try await $0.store.purge() },
    StoreCall("delete") { try await $0.store.delete([$0.snippet]) },
    StoreCall("delete unless changed") {
      if let row = try $0.store.row($0.snippet) { try await $0.store.delete(ifUnchanged: row) }
    },
  ]

  private static let recipe = Recipe("small")

  private static func derivative(of blob: BlobID) -> Derivative {
    Derivative(blobID: blob, recipe: recipe, data: Data("small".utf8))
  }

  private init(
    _ name: String,
    blocks: Bool = false,
    _ call: @escaping @Sendable (Subject) async throws -> Void
  ) {
    self.name = name
    self.blocks = blocks
    self.call = call
  }
}
