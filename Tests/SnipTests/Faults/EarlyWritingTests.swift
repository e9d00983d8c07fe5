#if os(Linux)

import Foundation
import SnippetTestSupport
import Testing

/// The disk begins to write what a commit or a checkpoint will wait for.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct EarlyWritingTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool(in: TemporaryDirectory.file("folder"))
    try snip.write(RealFiles.jpeg + Data(count: 9 << 20), "picture.jpg")
  }

  @Test func `the disk begins with the log and with the file before anything waits for it`()
    async throws
  {
    let run = try await snip.run(["import", "picture.jpg"], under: nil)

    #expect(run.output.status == 0, "\(run.output)")
    for file in [".sqlite-wal", ".sqlite"] {
      let calls = run.calls.filter { $0.path.hasSuffix(file) }.map(\.family)
      #expect(calls.count { $0 == .start } >= 8, "\(file)")
      let last = try #require(calls.lastIndex(of: .start))
      #expect(calls[last...].contains(.sync), "\(file)")
    }
    let started = Set(run.calls.filter { $0.family == .start }.map(\.path))
    #expect(started.count == 2, "\(started)")
  }

  @Test func `a disk that cannot begin early changes nothing`() async throws {
    let plan = FaultPlan(.start, number: 1, isForGood: true, .fail(.inputOutput))

    let run = try await snip.run(["import", "picture.jpg"], under: plan)

    #expect(run.isStruck && run.output.status == 0, "\(run.output)")
    #expect(try await snip.run(["check"]).status == 0)
  }
}

#endif
