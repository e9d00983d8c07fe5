import Foundation
import GRDB
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// Calls that wait for a disk or a lock hold none of Swift's few threads meanwhile.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OwnThreadsTests {
  // holder               callers, many more than Swift has threads     others
  // has the connection
  //                      wait for it
  //                                                                    come and go
  // lets go
  //                      are done
  @Test(arguments: WaitingCall.all)
  func `calls that wait leave Swift's threads to others`(call: WaitingCall) async throws {
    let store = try TemporaryStore.open()
    let subject = try await StoreCall.subject(in: store)
    let mayEnd = Gate()
    let holding = (0..<call.connectionCount).map { _ in Gate() }
    for isHolding in holding {
      Thread.detachNewThread {
        call.hold(store) {
          isHolding.open()
          mayEnd.blockUntilOpen()
        }
      }
    }
    defer { mayEnd.open() }
    for isHolding in holding { await isHolding.untilOpen() }
    let started = (0..<Self.callerCount).map { _ in Gate() }

    try await withThrowingTaskGroup { group in
      defer { mayEnd.open() }
      for isStarted in started {
        group.addTask {
          isStarted.open()
          try await call.run(subject)
        }
      }
      for isStarted in started { await isStarted.untilOpen() }
      for _ in 0..<Self.callerCount {
        await Task.detached { await Task.yield() }.value
      }
      mayEnd.open()
      try await group.waitForAll()
    }
  }

  private static let callerCount = 4 * ProcessInfo.processInfo.activeProcessorCount + 8
}

/// A call, and how to hold what it needs.
struct WaitingCall: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var connectionCount = 1
  var hold: @Sendable (SnippetStore, () -> Void) -> Void
  var run: @Sendable (StoreCall.Subject) async throws -> Void

  static let all: [WaitingCall] = [
    writing("save") { _ = try await $0.store.save(SnippetDraft(.text("new"))) },
    writing("save several") { try await $0.store.save(contentsOf: [SnippetDraft(.text("new"))]) },
    writing("update") { try await $0.store.apply(SnippetEdit(title: "new"), to: $0.snippet) },
    writing("delete") { try await $0.store.delete([$0.snippet]) },
    reading("content") { _ = try await $0.store.content(of: $0.snippet) },
    reading("blob") { _ = try await $0.store.content(of: $0.blob) },
    reading("text") { _ = try await $0.store.text(of: $0.snippet) },
    reading("pieces") { for try await _ in $0.store.pieces(of: $0.snippet) {} },
    reading("blobs") { _ = try await $0.store.content(of: [$0.blob]) },
    WaitingCall(testDescription: "search", hold: holdScans) {
      _ = try await $0.store.foundIDs("text")
    },
  ]

  private static func writing(
    _ name: String,
    _ run: @escaping @Sendable (StoreCall.Subject) async throws -> Void
  ) -> WaitingCall {
    WaitingCall(testDescription: name, hold: holdWriter, run: run)
  }

  private static func reading(
    _ name: String,
    _ run: @escaping @Sendable (StoreCall.Subject) async throws -> Void
  ) -> WaitingCall {
    WaitingCall(testDescription: name, connectionCount: 2, hold: holdBlobs, run: run)
  }

  private static func holdWriter(_ store: SnippetStore, _ body: () -> Void) {
    // What is held is never written.
    try? store.connections.writer(for: "hold it").writeWithoutTransaction { _ in body() }
  }

  private static func holdScans(_ store: SnippetStore, _ body: () -> Void) {
    // It is open, and nothing is read.
    try? store.connections.reader(.scans).unsafeRead { _ in body() }
  }

  private static func holdBlobs(_ store: SnippetStore, _ body: () -> Void) {
    // It is open, and nothing is read.
    try? store.blobReaders.withConnection { _ in body() }
  }
}
