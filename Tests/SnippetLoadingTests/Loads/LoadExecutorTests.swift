import SnippetBase
import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.timeLimit(.minutes(30)))
struct LoadExecutorTests {
  // 16 works     each waits at the gate until all have come
  //              a task of the same priority runs meanwhile
  @Test func `blocked reads hold up neither each other nor a task`() async {
    let execute = LoaderEnvironment().executeLoad
    let works = (0..<16).map { _ in ScriptedSource.Hold() }
    for work in works {
      execute {
        work.reached.open()
        work.release.blockUntilOpen()
      }
    }

    for work in works { await work.reached.untilOpen() }
    let answer = await Task.detached(priority: .userInitiated) { 42 }.value

    #expect(answer == 42)
    for work in works { work.release.open() }
  }

  @Test func `work never runs on the main queue`() async {
    let execute = LoaderEnvironment().executeLoad
    let done = Gate()
    let isMain = Lock(true)

    execute {
      isMain.withLock { $0 = MainQueue.isCurrent }
      done.open()
    }
    await done.untilOpen()

    #expect(!isMain.withLock { $0 })
  }
}
