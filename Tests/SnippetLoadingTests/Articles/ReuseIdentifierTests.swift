import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What “Table View Cells Redux” promises, and what its code gets wrong.
@MainActor
struct ReuseIdentifierTests {
  private let fixture = ScriptedLoader()
  private let presented = PresenterFixture()
  private var list: FakeListView { presented.list }

  // MARK: - Promises

  @Test func `the identifier of an instance is that of its type however it is declared`() {
    let view: RecordingView = NoteView()
    let any: AnyObject = view

    #expect(identifier(of: view) == NoteView.identifier)
    #expect(identifier(of: any) == NoteView.identifier)
    #expect(identifier(of: view) != RecordingView.identifier)
  }

  @Test func `a view comes back for its own type`() throws {
    let view = try #require(list.prepare(0))
    list.putBack(view)

    #expect(list.prepare(3) === view)
    #expect(list.madeCount == 1)
  }

  @Test func `no cell is made any more once the screen was filled`() {
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    for first in 0..<20 { screen.scroll(to: first) }
    let warm = screen.createdCount

    for first in 20..<900 { screen.scroll(to: first) }

    #expect(screen.createdCount == warm)
    #expect(warm <= 12)
    #expect(screen.reusedCount > 880)
  }

  @Test func `views that are never reused are reported loudly`() {
    var messages: [String] = []
    presented.dataSource.brokenReuseHandler = { messages.append($0) }

    for first in 0..<300 {
      presented.dataSource.show(visible: first..<first + 10)
      if first % 3 == 0 { presented.dataSource.present(first, in: NoteView()) }
    }

    #expect(messages.count == 1)
  }

  @Test func `one type of cell serves several lists`() {
    let other = ScriptedLoader(rows: ScriptedRows([.text(1, "elsewhere")]))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.loader.unbind(cell)

    other.loader.bind(cell, to: 0)
    fixture.settle()

    #expect(cell.row?.preview == "elsewhere")
    #expect(cell.state == .idle)
  }

  @Test func `which callbacks ran can be read from counters`() {
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    screen.scroll(to: 0)
    fixture.settle()
    screen.scroll(to: 5)

    let counters = fixture.loader.counters
    #expect(screen.createdCount + screen.reusedCount == 15)
    #expect(counters.hits + counters.misses == 15)
    #expect(counters.boundCells == 10)
    #expect(counters.delivered == 15)
  }

  // MARK: - Flaws

  @Test func `two types never share an identifier`() {
    list.putBack(NoteView())
    list.putBack(PhotoView())

    #expect(list.prepare(0) is NoteView)
    #expect(list.prepare(1) is PhotoView)
    #expect(list.madeCount == 0)
  }

  @Test func `siblings do not inherit the identifier of their parent`() {
    let identifiers: Set = [
      RecordingView.identifier, NoteView.identifier,
      PhotoView.identifier,
    ]

    #expect(identifiers.count == 3)
  }

  @Test func `a view is reset before it is used again`() throws {
    let view = try #require(list.prepare(0))
    presented.dataSource.didEndDisplaying(view)
    list.putBack(view)

    #expect(list.prepare(3) === view)
    #expect(view.resetCount == 1 && view.text == "text 4")
  }

  private func identifier(of view: AnyObject) -> String {
    SnippetDataSource.reuseIdentifier(of: type(of: view))
  }
}
