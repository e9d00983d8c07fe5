import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

/// What is held by whom: nothing but the owner's own references keeps anything alive.
@MainActor
struct PresenterLifetimeTests {
  @Test func `a presenter goes with its view`() {
    let fixture = PresenterFixture()
    fixture.list.scroll(to: 0..<9)
    fixture.settle()
    weak let view = fixture.list[0]
    weak let presenter = view?.presenter
    #expect(presenter != nil)

    fixture.list.scroll(to: 0..<0)
    fixture.list.discardPool()
    fixture.dataSource.show(visible: 0..<9)

    #expect(view == nil)
    #expect(presenter == nil)
    #expect(fixture.dataSource.presenterCount == 0)
    #expect(fixture.loader.counters.boundCells == 0)
  }

  @Test func `views that are thrown away take their presenters along though nothing moves`() {
    let fixture = PresenterFixture()
    fixture.dataSource.brokenReuseHandler = { _ in }

    // Their memory is held, so that none comes to stand where another was.
    let places = (0..<500).map { _ in
      let view = NoteView()
      fixture.dataSource.present(0, in: view)
      return Place(view)
    }

    withExtendedLifetime(places) {}

    #expect(fixture.dataSource.presenterCount < 50)
  }

  @Test func `the closures of a view keep neither it nor its presenter alive`() {
    let fixture = PresenterFixture()
    var view: NoteView? = NoteView()
    weak let gone = view
    weak let presenter = view.flatMap { view in
      fixture.dataSource.present(0, in: view)
      return view.presenter
    }
    #expect(presenter != nil)

    view = nil
    #expect(gone == nil)
    fixture.dataSource.show(visible: 0..<9)

    #expect(presenter == nil)
  }

  @Test func `nothing is left of a screen that is gone`() {
    var fixture: PresenterFixture? = PresenterFixture()
    fixture?.list.scroll(to: 0..<9)
    // Some loads are under way, some results are on their way.
    fixture?.loading.executor.runNext()
    weak let dataSource = fixture?.dataSource
    weak let loader = fixture?.loader
    weak let view = fixture?.list[1]
    weak let presenter = view?.presenter
    let rows = fixture?.rows
    #expect(rows?.observerCount == 1)
    #expect(presenter != nil)

    fixture = nil

    #expect(dataSource == nil)
    #expect(loader == nil)
    #expect(view == nil)
    #expect(presenter == nil)
    #expect(rows?.observerCount == 0)
  }

  @Test func `a view that outlives its list does nothing`() {
    var fixture: PresenterFixture? = PresenterFixture()
    let view = NoteView()
    fixture?.dataSource.present(0, in: view)
    let edits = fixture?.edits
    fixture = nil

    view.tapRetry()

    #expect(view.tapPin() == nil)
    #expect(edits?.performed == [])
    #expect(view.presenter == nil)
  }

  @Test func `a new view at the place of a former one in memory has a presenter of its own`() {
    let fixture = PresenterFixture()
    var identities: Set<ObjectIdentifier> = []
    var reused = 0
    for position in 0..<50 {
      let view = NoteView()
      if !identities.insert(ObjectIdentifier(view)).inserted { reused += 1 }
      fixture.dataSource.present(3 * position, in: view)
      #expect(view.text == "text \(3 * position + 1)")
    }
    // Otherwise this has shown nothing.
    #expect(reused > 0)
    fixture.dataSource.show(visible: 0..<9)
    #expect(fixture.dataSource.presenterCount == 0)
  }
}
