import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// A connection that a store opens long after its others.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LateOpeningTests {
  /// What happens to the file while a connection opens it.
  enum Interference: String, CaseIterable {
    /// Another store takes its place.
    case replaced
    /// Another store takes its place while it is opened, and gives it back before it is read.
    case replacedForAMoment
    /// Its log is deleted before it is opened.
    case withoutLog
    /// It is deleted.
    case deleted
  }

  // store                       another program
  // asks whether the file is there
  //                             takes the file or its log away
  // opens the connection
  // looks again, and uses the connection for rows
  @Test(arguments: Interference.allCases)
  func `a file that is taken away while a connection is opened is still read, and no other`(
    interference: Interference
  ) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, name = interference.rawValue as String] in
      let interference = try #require(Interference(rawValue: name))
      let injector = FaultInjector.install(watching: folder)
      try await Subject.forEach(in: folder) { (subject, files, store) async throws in
        let isHit = Lock(false)
        injector.pause { call, path in
          isHit.withLock { isHit in
            guard call == .open, files.contain(path) else { return }
            isHit = files.interfere(interference, before: path, isHit: isHit)
          }
        }
        let result = try await subject.read(store)
        injector.pause(nil)

        #expect(isHit.withLock { $0 }, "\(subject.name): the moment was hit")
        #expect(result == subject.expected, "\(subject.name)")
        if interference == .deleted {
          #expect(!FileManager.default.fileExists(atPath: files.store.path))
        }
      }
    }
  }

  // Otherwise the log of one store would go into the other.
  @Test func `a store that was replaced while it was read is left alone when it is closed`()
    async throws
  {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    let files = Files(in: folder)
    let store = try await files.make()
    // The log as a program that is killed leaves it, beside a store that nothing has open.
    let (new, log) = (folder.appendingPathComponent("new.sqlite"), files.store.path + "-wal")
    try FileManager.default.copyItem(at: files.store, to: new)
    try FileManager.default.copyItem(atPath: log, toPath: new.path + "-wal")
    try await store.close()
    let reader = try SnippetStore(at: new)
    #expect(try reader.list().rows(in: 0..<9).map(\.title) == ["own"])

    try FileManager.default.moveItem(at: new, to: files.aside)
    try FileManager.default.copyItem(at: files.other, to: new)
    let replaced = try Data(contentsOf: new)
    try await reader.close()

    #expect(try Data(contentsOf: new) == replaced)
    #expect(FileManager.default.fileExists(atPath: new.path + "-wal"))
  }

  @Test func `a connection that cannot be opened fails the call, and the next one succeeds`()
    async
  {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      let injector = FaultInjector.install(watching: folder)
      try await Subject.forEach(in: folder) { (subject, _, store) async throws in
        let plan = FaultPlan(.open, number: 1, isForGood: true, .fail(.tooManyOpenFiles))

        let (error, strikes) = await injector.inject(plan) {
          await #expect(throws: (any Error).self) { try await subject.read(store) }
        }

        #expect(strikes > 0, "\(subject.name)")
        let told = error.map { SnippetStoreError($0, during: "read") }
        #expect(told?.reason.contains("too many files") == true, "\(subject.name): \(error as Any)")
        #expect(try await subject.read(store) == subject.expectedInPlace, "\(subject.name)")
      }
    }
  }

  /// What is read through a connection of its own.
  private struct Subject: Sendable {
    var name: String
    /// The result of `read` for the file that was opened.
    var expected: String
    var expectedInPlace: String
    /// Whether the store is opened again before, so that it has no writer.
    var isReopened: Bool
    var read: @Sendable (SnippetStore) async throws -> String

    init(
      _ name: String,
      expected: String = "own",
      inPlace: String = "own",
      isReopened: Bool = false,
      read: @escaping @Sendable (SnippetStore) async throws -> String
    ) {
      (self.name, self.expected, expectedInPlace, self.read) = (name, expected, inPlace, read)
      self.isReopened = isReopened
    }

    /// Calls `body` with each subject and a store of its own, of which only the connection for rows
    /// is open, and the writer unless the store was opened again.
    static func forEach(
      in folder: URL,
      _ body: (Subject, Files, SnippetStore) async throws -> Void
    ) async throws {
      for subject in all {
        let place = folder.appendingPathComponent(subject.name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let files = Files(in: place)
        var store = try await files.make()
        if subject.isReopened {
          try await store.close()
          store = try SnippetStore(at: files.store)
        }
        try await body(subject, files, store)
        try await store.close()
      }
    }

    private static let all = [
      Subject("writer", expected: "displaced", inPlace: "opened", isReopened: true) { store in
        do {
          _ = try store.connections.lateWriter(for: "write").get()
          return "opened"
        } catch is DisplacedFile {
          return "displaced"
        }
      },
      Subject("scans") { store in
        let titles = try await store.connections.read(.scans, to: "read") { db in
          try db.values("SELECT title FROM snippet", []) { try $0.text(0) }
        }
        return titles.joined(separator: ", ")
      },
      Subject("derivatives") { store in
        let derivative = try await store.derivative(of: Files.blob, by: FaultFixture.recipe)
        return String(decoding: derivative ?? Data(), as: UTF8.self)
      },
      Subject("blobs") { store in
        String(decoding: try await store.content(of: Files.blob), as: UTF8.self)
      },
      Subject("checkpointer", expected: "displaced", inPlace: "done") { store in
        do {
          try store.connections.checkpoint(to: "fold the log")
          return "done"
        } catch is DisplacedFile {
          return "displaced"
        }
      },
      Subject("checker", expected: "displaced", inPlace: "sound") { store in
        do {
          let checker = try store.connections.ownChecker(busyTimeout: .zero)
          try checker.close()
          return "sound"
        } catch is DisplacedFile {
          return "displaced"
        }
      },
    ]
  }

  /// A store and another one, with the same numbers.
  private struct Files: Sendable {
    static let blob = BlobID(rawValue: 1)

    let store: URL
    let other: URL
    let aside: URL

    init(in folder: URL) {
      store = folder.appendingPathComponent("store.sqlite")
      other = folder.appendingPathComponent("other.sqlite")
      aside = folder.appendingPathComponent("aside.sqlite")
    }

    func contain(_ path: String) -> Bool {
      path.hasPrefix(store.deletingLastPathComponent().path)
    }

    /// Makes both, and leaves the content of the store in its log.
    func make() async throws -> SnippetStore {
      let other = try SnippetStore(at: other)
      try await Self.fill(other, with: "other")
      try await other.close()
      let store = try SnippetStore(at: store)
      try await Self.fill(store, with: "own")
      return store
    }

    private static func fill(_ store: SnippetStore, with word: String) async throws {
      let row = try await store.save(Samples.image(Data(word.utf8), title: word))
      #expect(row.blobID == Self.blob)
      let derivative = Derivative(
        blobID: Self.blob,
        recipe: FaultFixture.recipe,
        data: Data(word.utf8)
      )
      try await store.saveDerivatives([derivative])
    }

    /// Interferes with the opening of a file, and returns whether it has done all that it does.
    func interfere(_ interference: Interference, before path: String, isHit: Bool) -> Bool {
      let isStore = path.hasSuffix("/store.sqlite")
      let files = FileManager.default
      // Each step comes once, and a failure shows as a moment that was not hit.
      do {
        switch interference {
        case .replaced where isStore && !isHit:
          try files.moveItem(at: store, to: aside)
          try files.moveItem(at: other, to: store)
          return true
        case .replacedForAMoment where isStore && !isHit && files.fileExists(atPath: other.path):
          try files.moveItem(at: store, to: aside)
          try files.moveItem(at: other, to: store)
        case .replacedForAMoment where !isStore && files.fileExists(atPath: aside.path):
          try files.moveItem(at: store, to: other)
          try files.moveItem(at: aside, to: store)
          return true
        case .withoutLog where path.hasSuffix("-wal") && !isHit:
          try files.removeItem(atPath: store.path + "-wal")
          return true
        case .deleted where isStore && !isHit:
          try files.removeItem(at: store)
          return true
        default: break
        }
      } catch {
        return false
      }
      return isHit
    }
  }
}
