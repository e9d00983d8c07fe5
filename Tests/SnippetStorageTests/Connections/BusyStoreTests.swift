import SnippetStorage
import SnippetTestSupport
import Testing

/// Another program holds the store.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BusyStoreTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `what writes is refused in the end, can be tried again, and leaves nothing`()
    async throws
  {
    let store = try TemporaryStore.open(configuration: impatient)
    let session = try ShellSession(file)
    for call in StoreCall.writing {
      let subject = try await StoreCall.subject(in: store)
      let before = try store.list().rows(in: 0..<99)
      _ = try await session.run("BEGIN IMMEDIATE;")

      let error = await call.expectRefusal(on: subject, .busy)
      #expect(error?.isRetryable == true, "\(call.name)")
      #expect(try store.list().rows(in: 0..<99) == before, "\(call.name)")
      _ = try await session.run("ROLLBACK;")
      await #expect(throws: Never.self, "\(call.name)") { try await call.run(on: subject) }
    }
    try await session.end()
  }

  @Test(arguments: StoreCall.reading)
  func `what reads goes on, and sees nothing of what is not committed`(
    call: StoreCall
  ) async throws {
    let store = try TemporaryStore.open(configuration: impatient)
    let subject = try await StoreCall.subject(in: store)
    let session = try ShellSession(file)
    _ = try await session.run("BEGIN EXCLUSIVE; INSERT INTO snippet (kind) VALUES (1);")

    try await call.run(on: subject)

    #expect(try store.list().count == 1)
    _ = try await session.run("COMMIT;")
    #expect(try store.list().count == 2)
    try await session.end()
  }

  @Test func `a store is opened while another program writes`() async throws {
    try await TemporaryStore.open().close()
    let session = try ShellSession(file)
    _ = try await session.run("BEGIN IMMEDIATE;")

    let store = try TemporaryStore.open(configuration: impatient)

    #expect(try store.list().count == 0)
    _ = try await session.run("ROLLBACK;")
    try await session.end()
  }

  @Test func `a save waits for its turn`() async throws {
    let store = try TemporaryStore.open()
    let session = try ShellSession(file)
    _ = try await session.run("BEGIN IMMEDIATE; INSERT INTO snippet (kind) VALUES (1);")
    async let row = store.save(SnippetDraft(.text("hello")))

    _ = try await session.run("COMMIT;")

    // The number 1 was the shell's, so the save came after it.
    #expect(try await row.id == SnippetID(rawValue: 2))
    try await session.end()
  }

  private var impatient: SnippetStore.Configuration {
    var configuration = SnippetStore.Configuration()
    configuration.busyTimeout = .milliseconds(20)
    return configuration
  }
}
