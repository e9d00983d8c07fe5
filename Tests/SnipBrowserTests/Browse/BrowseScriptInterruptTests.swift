import SnipCore
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnipBrowser

/// What becomes of a script when the program is asked to end.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseScriptInterruptTests {
  private let programs = ScriptedPrograms()
  private let interrupts = Interrupts {}
  private let script: BrowseScript

  init() throws {
    script = try BrowseScript("e\nwait")
  }

  private func fixture() async throws -> BrowseFixture {
    BrowseFixture(try await BrowseFixture.store(textCount: 3), programs: programs)
  }

  @Test func `a script that waits sees that the program is asked to end`() async throws {
    let fixture = try await fixture()
    programs.editing = { [interrupts] _ in
      interrupts.request()
      return 0
    }

    await #expect(throws: InterruptedError.self) {
      try await fixture.run.run(script, interrupts: interrupts)
    }
  }

  @Test func `a script does not wait on for what takes long`() async throws {
    let fixture = try await fixture()
    let isLeft = Gate()
    programs.editing = { [interrupts] _ in
      interrupts.request()
      isLeft.blockUntilOpen()
      return 0
    }

    await #expect(throws: InterruptedError.self) {
      try await fixture.run.run(script, interrupts: interrupts)
    }

    isLeft.open()
    _ = await fixture.run.screen.finishChanges(isInterrupted: true)
  }
}
