import SnippetStorage
import SnippetTesting
import Testing

@testable import SnippetLoading

/// What “The Cell Presenter” promises, and what its code gets wrong.
@MainActor
struct CellPresenterTests {
  private let fixture = PresenterFixture()
  private var dataSource: SnippetDataSource { fixture.dataSource }
  private var list: FakeListView { fixture.list }

  private func screen() {
    list.scroll(to: 0..<9)
    fixture.settle()
  }

  private func view(at position: Int) throws -> RecordingView {
    try #require(list[position])
  }

  // MARK: - Promises

  @Test func `a change made anywhere is shown in the part that it concerns`() throws {
    screen()
    let view = try view(at: 1)
    view.forget()

    fixture.replace(with: .image(2, revision: 2, title: "from elsewhere"))
    fixture.settle()

    #expect(view.title == "from elsewhere")
    #expect(view.fields == [.title])
    #expect(view.states == [])
  }

  @Test func `another item is another bind of the same presenter`() throws {
    screen()
    let view = try view(at: 1)
    let presenter = try #require(view.presenter)

    dataSource.present(4, in: view)

    #expect(view.presenter === presenter)
    #expect(dataSource.row(in: view)?.id.rawValue == 5)
    #expect(dataSource.presenterCount == 9)
  }

  @Test func `view and presenter are all that a list needs to be written`() {
    let source = SnippetDataSource(loader: ScriptedLoader(rows: .mixed(count: 2)).loader)
    source.register(NotePresenter.init, for: .text)
    let view = NoteView()

    source.willDisplay(view, at: 0)

    #expect(source.count == 2)
    #expect(view.text == "text 1")
  }

  @Test func `a list may be a part of a screen beside another`() {
    let other = PresenterFixture(rows: .mixed(count: 6))
    screen()
    other.list.scroll(to: 0..<3)
    other.settle()

    #expect(dataSource.presenterCount == 9)
    #expect(other.dataSource.presenterCount == 3)
  }

  // MARK: - Flaws

  @Test func `the first screen is shown and follows its items`() throws {
    list.scroll(to: 0..<9)
    for position in 0..<9 {
      #expect(list[position]?.fields == SnippetField.allCases)
    }

    fixture.replace(with: .text(1, "changed"))
    fixture.settle()

    #expect(try view(at: 0).text == "changed")
  }

  @Test func `the former item no longer drives the view`() throws {
    screen()
    let view = try view(at: 1)
    dataSource.present(4, in: view)
    view.forget()

    fixture.replace(with: .image(2, revision: 2, title: "of the former"))
    fixture.settle()

    #expect(view.title == "")
    #expect(view.fields == [])
  }

  @Test func `binding the same item again and again leaves one update for a change`() throws {
    screen()
    let view = try view(at: 1)
    for _ in 0..<20 { dataSource.present(1, in: view) }
    for _ in 0..<20 { dataSource.willDisplay(view, at: 1) }
    view.forget()

    fixture.replace(with: .image(2, revision: 2, title: "new"))
    fixture.settle()

    #expect(view.fields == [.title])
  }

  @Test func `a view in the pool reacts to nothing`() throws {
    screen()
    let view = try view(at: 1)
    list.scroll(to: 9..<9)
    view.forget()

    fixture.replace(with: .image(2, revision: 2, title: "new"))
    fixture.settle()

    #expect(view.fields == [])
    #expect(fixture.loader.counters.boundCells == 0)
  }

  @Test func `there is no moment with the values of the former item`() throws {
    screen()
    let view = try view(at: 0)

    dataSource.present(3, in: view)

    #expect(view.text == "text 4")
  }

  @Test func `a change of the former item that is on its way is not applied to the next`() throws {
    screen()
    let view = try view(at: 1)
    fixture.replace(with: .image(2, revision: 2, title: "of the former"))
    // Read, but not delivered.
    fixture.loading.scheduler.runAll()
    fixture.loading.rowExecutor.runAll()

    dataSource.present(4, in: view)
    view.forget()
    fixture.settle()

    #expect(view.title == "")
    #expect(view.fields == [])
  }

  @Test func `what a view was given does not change behind its back`() throws {
    screen()
    let view = try view(at: 1)
    let row = try #require(dataSource.row(in: view))

    fixture.replace(with: .image(2, revision: 2, title: "new"))
    #expect(view.title == "" && row.title == "")
    fixture.settle()

    #expect(row.title == "")
    #expect(dataSource.row(in: view)?.title == "new")
  }

  @Test func `equal values are not told and a burst is one update`() throws {
    screen()
    let view = try view(at: 1)
    view.forget()

    for _ in 0..<5 { fixture.replace(with: .image(2, revision: 2)) }
    fixture.settle()
    #expect(view.fields == [])
    for title in ["a", "b", "c"] { fixture.replace(with: .image(2, revision: 3, title: title)) }
    fixture.settle()

    #expect(view.fields == [.title])
    #expect(view.title == "c")
  }

  @Test func `an edit that answers its own change comes to an end`() async throws {
    let source = SnippetDataSource(loader: fixture.loader, editor: SnippetEditor(fixture.edits))
    source.register(EchoPresenter.init, for: .text)
    let view = EchoView()
    source.present(0, in: view)

    // Each change is answered by the same edit, which changes nothing any more.
    for _ in 0..<10 {
      await view.sent?.value
      view.sent = nil
      fixture.settle()
    }

    #expect(fixture.edits.performed.count == 2)
    #expect(source.row(in: view)?.isPinned == true)
  }

  @Test func `types of views of the same name in different places do not meet`() {
    enum Here { final class Row: RecordingView {} }
    enum There { final class Row: RecordingView {} }

    #expect(Here.Row.identifier != There.Row.identifier)
  }

  @Test func `the list is the only truth however it changes`() throws {
    screen()
    var changes = 0
    dataSource.changeHandler = { [list] _ in
      changes += 1
      list.reload(0..<9)
    }
    let rows = fixture.rows.rows

    fixture.rows.rows = [.image(5_000, title: "first")] + rows.dropFirst(2)
    fixture.rows.announce()
    fixture.settle()

    #expect(changes == 1)
    #expect(dataSource.count == 899)
    #expect(try view(at: 0).title == "first")
    for position in 0..<9 {
      let view = try view(at: position)
      #expect(dataSource.row(in: view) == fixture.rows.rows[position])
    }
  }

  @Test func `one feed serves any number of views and only those concerned are told`() {
    screen()
    for position in 0..<9 { list[position]?.forget() }
    let reads = fixture.loader.counters.rowReadsAhead

    fixture.replace(with: .image(2, revision: 2, title: "new"))
    fixture.settle()

    #expect(fixture.rows.observerCount == 1)
    #expect(fixture.loader.counters.rowReadsAhead == reads + 1)
    #expect((0..<9).filter { list[$0]?.fields.isEmpty == false } == [1])
  }
}

/// A view whose presenter sends an edit of its own.
@MainActor
final class EchoView {
  var sent: Task<Void, Never>?
}

/// Answers every look at the pin by setting it.
final class EchoPresenter: CellPresenter {
  private var sender: EditSender?

  func connect(_ view: EchoView, to sender: EditSender) {
    self.sender = sender
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: EchoView) {
    guard field == .isPinned else { return }
    view.sent = sender?.send(SnippetEdit(isPinned: true))
  }
}
