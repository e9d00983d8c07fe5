import CTestWidth
package import Foundation
import SnippetBase
import SnippetStorage
package import Testing

/// An empty folder for one test case.
package struct TemporaryDirectory: Sendable {
  package let url: URL
  /// The stores to check and close when the test case ends.
  let stores = Lock<[SnippetStore]>([])
  /// The files to check then.
  let copies = Lock<[URL]>([])

  /// The folder of the running test case, which must have the trait `.temporaryDirectory`.
  package static var current: TemporaryDirectory {
    guard let directory = running else {
      preconditionFailure("the test needs the trait .temporaryDirectory")
    }
    return directory
  }

  @TaskLocal static var running: TemporaryDirectory?

  /// The present number of folders.
  fileprivate static let count = Lock(0)

  /// The place of a file in the folder of the running test case.
  package static func file(_ name: String) -> URL {
    current.url.appendingPathComponent(name)
  }

  fileprivate init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }
}

/// Gives every test case an empty folder, which is removed after it.
///
/// Each ``TemporaryStore`` that the test case opened is checked and closed first.
package struct TemporaryDirectoryTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let count = TemporaryDirectory.count.withLock { count in
      count += 1
      return count
    }
    defer { TemporaryDirectory.count.withLock { $0 -= 1 } }
    // If Swift Testing started all tests at once again, stores would run out of files.
    #expect(count <= snippet_test_width(), "tests run within the width that they are given")
    try await StoreTemplate.empty.prepare()
    let start = ContinuousClock.now
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(
        try await TemporaryDirectory.$running.withValue(directory) {
          try await function()
          try await TemporaryStore.endAll(in: directory)
        }
      )
    } catch {
      outcome = .failure(error)
    }
    try FileManager.default.removeItem(at: directory.url)
    // The log of Swift Testing counts from the time when a test was due, and the test waits for its
    // turn.
    let seconds = start.duration(to: .now) / .seconds(1)
    print("◷ \(seconds) s \(test.sourceLocation.fileID) \(test.displayName ?? test.name)")
    try outcome.get()
  }
}

extension Trait where Self == TemporaryDirectoryTrait {
  /// Gives every test case an empty folder, which is removed after it.
  package static var temporaryDirectory: Self { Self() }
}
