import SnippetLoading
import SnippetTesting
import Testing

@MainActor @Test func aCellShowsItsBlobOnceItIsDelivered() {
  let stage = ScriptedLoader()
  let cell = stage.boundCell(to: 3)

  stage.executor.runAll()
  stage.scheduler.runAll()

  #expect(cell.state == .loaded(stage.source.blob(of: stage.key(at: 3))))
}
