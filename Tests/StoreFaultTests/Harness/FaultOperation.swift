import Foundation
import GRDB
import Migrations
import SnippetBase
import SnippetExchange
import SnippetRescue
import SnippetSync
import SnippetTestSupport

@testable import SnippetStorage

/// What is done to a store while faults strike: it is opened, one thing is done, it is closed.
struct FaultOperation: Sendable {
  /// What of an operation may be found when it has not come to its end.
  enum Parts: Sendable {
    /// Nothing of it or all of it.
    case none
    /// Some of the snippets that it makes or removes, each whole.
    case snippets
  }

  var name: String
  var parts = Parts.none
  /// The new files that it leaves beside the store.
  var outputs: [String] = []
  /// The store that it makes or changes.
  var subject = FaultFixture.store
  /// Whether another run goes on where one failed, and comes to the same end.
  var goesOn = false
  /// What can stand beside the store when it begins.
  var logs: [FaultFixture.Log] {
    subject == FaultFixture.store ? FaultFixture.Log.allCases : [.folded]
  }

  /// - Parameters:
  ///   - place: The folder with the store.
  ///   - acknowledge: Told words of each snippet that is said to be safe.
  var run:
    @Sendable (_ place: URL, _ acknowledge: @escaping @Sendable (String) -> Void) async throws ->
      Void

  /// Does something with the open store.
  private static func on(
    _ name: String,
    _ parts: Parts = .none,
    outputs: [String] = [],
    subject: String = FaultFixture.store,
    goesOn: Bool = false,
    access: SnippetStore.Configuration.Access = .readWriteCreate,
    _ body:
      @escaping @Sendable (SnippetStore, URL, @escaping @Sendable (String) -> Void) async throws ->
      Void
  ) -> FaultOperation {
    FaultOperation(
      name: name,
      parts: parts,
      outputs: outputs,
      subject: subject,
      goesOn: goesOn
    ) { place, acknowledge in
      var configuration = SnippetStore.Configuration(access: access)
      // Nothing else has the store open, so an operation that waits for a lock waits for itself,
      // and shall miss the deadline.
      configuration.busyTimeout = FaultSweep.deadline * 1.5
      let store = try SnippetStore(
        at: place.appendingPathComponent(subject),
        configuration: configuration
      )
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(store, place, acknowledge))
      } catch {
        result = .failure(error)
      }
      // What was done stays done if this fails.
      try? await store.close()
      try result.get()
    }
  }

  private static let shopping = SnippetID(rawValue: 1)
  private static let trashed = SnippetID(rawValue: 4)

  /// The names of operations, a few for each process that runs them: to start one, and to make its
  /// files, takes as long as several faults.
  static func groups(of operations: [FaultOperation]) -> [[String]] {
    let count = 8
    return (0..<count).map { first in
      stride(from: first, to: operations.count, by: count).map { operations[$0].name }
    }
  }

  /// Saves a blob in steps, which do not wait for the disk.
  ///
  /// It makes too many calls for a fault at each of them.
  static let savingInSteps = on("add a large recording") { store, _, acknowledge in
    let bytes = Samples.bytes(BlobStaging.stepByteCount + 300_000, seed: 7)
    try await store.save(Samples.voice(bytes, title: "New"))
    acknowledge("New")
  }

  /// All operations that write, with the usual first.
  static let writing: [FaultOperation] = [
    on("add") { store, _, acknowledge in
      try await store.save(SnippetDraft(.text("A new text"), title: "New"))
      acknowledge("New")
    },
    on("add an image") { store, _, acknowledge in
      try await store.save(Samples.image(FaultFixture.newBytes, title: "New"))
      acknowledge("New")
    },
    on("edit") { store, _, acknowledge in
      try await store.apply(SnippetEdit(title: "Edited", text: "Milk and tea"), to: shopping)
      acknowledge("Edited")
    },
    on("tag") { store, _, _ in
      try await store.apply(SnippetEdit(addedTags: ["x"], removedTags: ["home"]), to: shopping)
    },
    on("rename a tag") { store, _, _ in _ = try await store.renameTag("home", to: "house") },
    on("move to the trash") { store, _, _ in _ = try await store.moveToTrash([shopping]) },
    on("undelete") { store, _, _ in _ = try await store.undelete([trashed]) },
    on("delete") { store, _, _ in _ = try await store.delete([shopping]) },
    on("empty the trash", .snippets) { store, _, _ in _ = try await store.emptyTrash() },
    on("purge", .snippets) { store, _, _ in _ = try await store.purge() },
    on("collect garbage") { store, _, _ in _ = try await store.collectGarbage() },
    on("save a derivative") { store, _, _ in
      _ = try await store.saveDerivatives([
        Derivative(blobID: BlobID(rawValue: 1), recipe: FaultFixture.recipe, data: Data("d".utf8))
      ])
    },
    on("capture", .snippets) { store, _, acknowledge in
      let capture = try await store.startCapture(title: "New", kind: .voice)
      try await capture.append(Samples.bytes(300_000, seed: 5))
      try await capture.append(Samples.bytes(10_000, seed: 6))
      try await capture.finish()
      acknowledge("New")
    },
    on("import", .snippets) { store, place, acknowledge in
      let files = place.appendingPathComponent("files")
      let failure = Lock<SnippetStoreError?>(nil)
      _ = try await store.importFiles(at: [files]) { event in
        if event.outcome == .failed { failure.withLock { $0 = event.error } }
        guard event.outcome == .imported, event.file.pathExtension == "txt" else { return }
        acknowledge("Text \(event.file.lastPathComponent.dropFirst(5).prefix(1)) of a file")
      }
      if let failure = failure.withLock({ $0 }) { throw failure }
    },
    on("index") { store, _, _ in try await store.updateSearchIndex() },
    FaultOperation(name: "restore") { place, _ in
      _ = try await SnippetStore.restore(
        from: place.appendingPathComponent("backup.sqlite"),
        to: place.appendingPathComponent("store.sqlite")
      )
    },
    on("back up", outputs: ["copy.sqlite"]) { store, place, _ in
      _ = try await store.backUp(to: place.appendingPathComponent("copy.sqlite"))
    },
    FaultOperation(name: "salvage", outputs: ["salvaged.sqlite"]) { place, _ in
      let report = try await SnippetStore.salvage(
        from: place.appendingPathComponent("store.sqlite"),
        to: place.appendingPathComponent("salvaged.sqlite")
      )
      guard report.isComplete else { throw IncompleteSalvage(report: report) }
    },
    on("repair") { store, _, _ in
      try await store.connections.write(to: "damage the store") { db in
        try db.execute(sql: "DELETE FROM search_index WHERE rowid = 1")
      }
      guard try await store.repair().check.isSound else { throw WrongAnswer() }
    },
    on("export", outputs: ["exported"]) { store, place, _ in
      _ = try await store.export(to: place.appendingPathComponent("exported"))
    },
    on("synchronize", .snippets, subject: FaultFixture.synced, goesOn: true) { store, place, _ in
      do {
        let sync = try await StoreSync(
          store,
          by: FolderCarrier(FaultFixture.repository(of: place)),
          key: try FaultFixture.key(of: place)
        )
        try await sync.synchronize()
      } catch let error as SyncError {
        throw error.underlyingError ?? error
      }
    },
  ]

  /// Operations that make a store ready for use: a new one, and one of each older version.
  static let opening: [FaultOperation] =
    [opening("create", "new.sqlite")]
    + (0..<Migrations.latestVersion).map { version in
      opening("upgrade from \(version)", FaultFixture.store(ofVersion: version))
    }

  private static func opening(_ name: String, _ subject: String) -> FaultOperation {
    FaultOperation(name: name, subject: subject) { place, _ in
      try await SnippetStore.open(at: place.appendingPathComponent(subject)).close()
    }
  }

  /// Operations that change nothing.
  static let reading: [FaultOperation] = [
    on("list", access: .readOnly) { store, _, _ in
      let list = store.list()
      guard try list.rows(in: 0..<9).count == list.count else { throw WrongAnswer() }
    },
    on("read", access: .readOnly) { store, _, _ in
      let text = try await store.text(of: shopping)
      let bytes = try await store.content(of: SnippetID(rawValue: 2))
      guard text == "Milk, eggs, bread", bytes == Samples.bytes(30_000, seed: 1) else {
        throw WrongAnswer()
      }
    },
    on("search", access: .readOnly) { store, _, _ in
      let results = try await store.search("milk")
      try await results.finish()
      guard try results.count == 1 else { throw WrongAnswer() }
    },
    on("check", access: .readOnly) { store, _, _ in
      guard try await store.check().isSound else { throw WrongAnswer() }
    },
  ]

  /// What was read is not what was saved, and no error told so.
  struct WrongAnswer: Error {}

  /// A salvage called a part of a sound store lost.
  struct IncompleteSalvage: Error {
    let report: SalvageReport
  }
}
