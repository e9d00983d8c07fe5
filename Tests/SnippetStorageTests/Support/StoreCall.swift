import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Every public call of a store that reads or writes its file.
struct StoreCall: Sendable, CustomTestStringConvertible {
  /// What a call is made on.
  struct Subject: Sendable {
    var store: SnippetStore
    var snippet: SnippetID
    var blob: BlobID
  }

  enum Form: Sendable {
    case blocking(@Sendable (Subject) throws -> Void)
    case asynchronous(@Sendable (Subject) async throws -> Void)
  }

  var name: String
  var form: Form

  var testDescription: String { name }

  func run(on subject: Subject) async throws {
    switch form {
    case .blocking(let call): try call(subject)
    case .asynchronous(let call): try await call(subject)
    }
  }

  /// Saves what the calls work on.
  static func subject(in store: SnippetStore) async throws -> Subject {
    let row = try await store.save(SnippetDraft(.text(Samples.longText())))
    return Subject(store: store, snippet: row.id, blob: try #require(row.blobID))
  }

  static let all = reading + writing

  static let reading: [StoreCall] = [
    blocking("row") { _ = try $0.store.row($0.snippet) },
    blocking("list count") { _ = try $0.store.list().count },
    blocking("list row(at:)") { _ = try $0.store.list().row(at: 0) },
    blocking("list rows(in:)") { _ = try $0.store.list(order: .byTitle).rows(in: 0..<3) },
    blocking("list position(of:)") { _ = try $0.store.list().position(of: $0.snippet) },
    blocking("lastChange") { _ = try $0.store.lastChange },
    blocking("changes") { _ = try $0.store.changes(after: ChangeSequence(rawValue: 0)) },
    asynchronous("changes, async") {
      _ = try await $0.store.changes(after: ChangeSequence(rawValue: 0))
    },
    asynchronous("search") { _ = try await $0.store.search("a") as SearchResults },
    blocking("content") { _ = try $0.store.content(of: $0.snippet) },
    asynchronous("content, async") { _ = try await $0.store.content(of: $0.snippet) },
    blocking("blob") { _ = try $0.store.blob($0.blob) },
    asynchronous("blob, async") { _ = try await $0.store.blob($0.blob) },
    blocking("blobs") { _ = try $0.store.blobs([$0.blob]) },
    asynchronous("blobs, async") { _ = try await $0.store.blobs([$0.blob]) },
    blocking("readBlob") { call in
      _ = try withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) {
        try call.store.readBlob(call.blob, into: $0)
      }
    },
    blocking("forEachPiece of a blob") { try $0.store.forEachPiece(of: $0.blob) { _ in } },
    blocking("text") { _ = try $0.store.text(of: $0.snippet) },
    asynchronous("text, async") { _ = try await $0.store.text(of: $0.snippet) },
    blocking("forEachTextPiece") { try $0.store.forEachTextPiece(of: $0.snippet) { _ in } },
    blocking("forEachPiece") { try $0.store.forEachPiece(of: $0.snippet) { _ in } },
    asynchronous("pieces") { for try await _ in $0.store.pieces(of: $0.snippet) {} },
    blocking("recordings") { _ = try $0.store.recordings() },
    blocking("information") { _ = try $0.store.information() },
    blocking("query") { try $0.store.query("SELECT * FROM snippets") { _, _ in } },
    blocking("derivative") { _ = try $0.store.derivative(of: $0.blob, by: recipe) },
    asynchronous("storageUse") { _ = try await $0.store.storageUse() },
    asynchronous("check") { _ = try await $0.store.check() },
    asynchronous("backUp") {
      try await $0.store.backUp(to: TemporaryDirectory.file("backup-\(UUID()).sqlite"))
    },
  ]

  static let writing: [StoreCall] = [
    blocking("save") { _ = try $0.store.save(SnippetDraft(.text("new"))) },
    asynchronous("save, async") { _ = try await $0.store.save(SnippetDraft(.text("new"))) },
    blocking("save several") { _ = try $0.store.save(contentsOf: [SnippetDraft(.text("new"))]) },
    asynchronous("save several, async") {
      _ = try await $0.store.save(contentsOf: [SnippetDraft(.text("new"))])
    },
    blocking("startRecording") { _ = try $0.store.startRecording() },
    blocking("discardRecording") { try $0.store.discardRecording(RecordingID(rawValue: 99)) },
    asynchronous("discardRecording, async") {
      try await $0.store.discardRecording(RecordingID(rawValue: 99))
    },
    blocking("update") { try $0.store.update($0.snippet, SnippetChanges(title: "new")) },
    asynchronous("update, async") {
      try await $0.store.update($0.snippet, SnippetChanges(title: "new"))
    },
    asynchronous("importFiles") {
      let file = TemporaryDirectory.file("import-\(UUID()).txt")
      try Data("a new text".utf8).write(to: file)
      try await $0.store.importFiles(at: [file])
    },
    blocking("moveToTrash") { try $0.store.moveToTrash([$0.snippet]) },
    asynchronous("moveToTrash, async") { try await $0.store.moveToTrash([$0.snippet]) },
    blocking("undelete") { try $0.store.undelete([$0.snippet]) },
    asynchronous("undelete, async") { try await $0.store.undelete([$0.snippet]) },
    blocking("saveDerivatives") { try $0.store.saveDerivatives([derivative(of: $0.blob)]) },
    asynchronous("saveDerivatives, async") {
      try await $0.store.saveDerivatives([derivative(of: $0.blob)])
    },
    asynchronous("deleteDerivatives") { try await $0.store.deleteDerivatives() },
    asynchronous("collectGarbage") { try await $0.store.collectGarbage() },
    asynchronous("emptyTrash") { try await $0.store.emptyTrash() },
    asynchronous("purge") { try await $0.store.purge() },
    blocking("delete") { try $0.store.delete([$0.snippet]) },
    asynchronous("delete, async") { try await $0.store.delete([$0.snippet]) },
  ]

  private static let recipe = Recipe("small")

  private static func derivative(of blob: BlobID) -> Derivative {
    Derivative(blobID: blob, recipe: recipe, data: Data("small".utf8))
  }

  private static func blocking(
    _ name: String,
    _ call: @escaping @Sendable (Subject) throws -> Void
  ) -> StoreCall {
    StoreCall(name: name, form: .blocking(call))
  }

  private static func asynchronous(
    _ name: String,
    _ call: @escaping @Sendable (Subject) async throws -> Void
  ) -> StoreCall {
    StoreCall(name: name, form: .asynchronous(call))
  }
}
