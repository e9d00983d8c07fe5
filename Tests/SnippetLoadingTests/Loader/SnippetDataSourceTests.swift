import Foundation
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

@MainActor
struct SnippetDataSourceTests {
  private let fixture = PresenterFixture()
  private var dataSource: SnippetDataSource { fixture.dataSource }
  private var list: FakeListView { fixture.list }

  @Test func `each kind takes the view of its presenter`() {
    dataSource.show(visible: 0..<9)

    #expect(dataSource.reuseIdentifier(at: 0) == NoteView.identifier)
    #expect(dataSource.reuseIdentifier(at: 1) == PhotoView.identifier)
    #expect(dataSource.reuseIdentifier(at: 2) == VoiceView.identifier)
    #expect(dataSource.reuseIdentifier(at: 900) == nil)
    #expect(dataSource.reuseIdentifier(at: -1) == nil)
    #expect(dataSource.count == 900)
  }

  @Test func `each kind has the height that its view was designed for before there is any view`() {
    let positions = Array(0..<min(10, dataSource.count))
    let tall = positions.filter { fixture.rows.rows[$0].kind == .text }

    dataSource.register(TallPresenter.init, for: .text)

    #expect(!tall.isEmpty && tall.count < positions.count)
    for position in positions {
      #expect(dataSource.designedHeight(at: position) == (tall.contains(position) ? 44 : nil))
    }
    #expect(dataSource.designedHeight(at: -1) == nil)
  }

  @Test func `a kind that is registered again takes the new presenter`() {
    dataSource.register(PhotoPresenter.init, for: .text)
    let view = PhotoView()

    dataSource.present(0, in: view)

    #expect(dataSource.reuseIdentifier(at: 0) == PhotoView.identifier)
    #expect(view.text == "text 1")
  }

  @Test func `the first bind shows every field of the row at once`() {
    let view = NoteView()

    let outcome = dataSource.present(0, in: view)

    #expect(outcome == .rowOnly)
    #expect(view.fields == SnippetField.allCases)
    #expect(view.text == "text 1")
    #expect(view.states == [.idle])
  }

  @Test func `a position outside of the list empties the view`() {
    let view = NoteView()
    dataSource.present(0, in: view)

    #expect(dataSource.present(900, in: view) == .failed(LoadError(.rowUnavailable)))

    #expect(view.resetCount == 1)
    #expect(dataSource.row(in: view) == nil)
  }

  @Test func `a view prepared ahead of time has its blob when it is displayed`() throws {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(10))
    fixture.settle()

    dataSource.willDisplay(view, at: 10)

    #expect(view.states == [.waiting, fixture.loading.bytes(at: 10)])
  }

  @Test func `a view prepared and put back without being displayed shows the next row only`() throws
  {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(10))
    list.putBack(view)

    // The same kind takes the same view again, while the first load is under way.
    let again = try #require(list.prepare(13))
    fixture.settle()

    #expect(again === view)
    #expect(view.states == [.waiting, .idle, .waiting, fixture.loading.bytes(at: 13)])
    #expect(dataSource.presenterCount == 1)
  }

  @Test func `each further pair of coming and going shows the row again without a reload`() throws {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(1))
    dataSource.willDisplay(view, at: 1)
    fixture.settle()

    for _ in 0..<3 {
      dataSource.didEndDisplaying(view)
      #expect(dataSource.row(in: view) == nil)
      dataSource.willDisplay(view, at: 1)
      #expect(dataSource.row(in: view)?.id.rawValue == 2)
    }

    #expect(view.state == fixture.loading.bytes(at: 1))
    #expect(fixture.loading.source.readCount(of: fixture.loading.key(at: 1)) == 1)
  }

  @Test func `a view made ready before a change keeps its item until it is laid out anew`() throws {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(9))
    let other = try #require(list.prepare(12))
    dataSource.didEndDisplaying(other)

    // The position belongs to a recording now, and the list has not been laid out yet.
    fixture.rows.rows.insert(.voice(5_000), at: 0)
    fixture.rows.announce()
    fixture.settle()
    dataSource.willDisplay(view, at: 9)
    dataSource.willDisplay(other, at: 12)

    #expect(dataSource.reuseIdentifier(at: 9) == VoiceView.identifier)
    #expect(dataSource.row(in: view)?.id.rawValue == 10)
    #expect(dataSource.row(in: other) == nil)
  }

  @Test func `a view that shows its row already is left alone when it is displayed`() throws {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(1))
    fixture.settle()
    view.forget()

    dataSource.willDisplay(view, at: 1)
    #expect(dataSource.present(1, in: view) == .unchanged)

    #expect(view.fields == [])
    #expect(view.states == [])
  }

  @Test func `a view that left gets nothing and reacts to nothing any more`() throws {
    dataSource.show(visible: 0..<9)
    let view = try #require(list.prepare(1))
    dataSource.didEndDisplaying(view)
    view.forget()

    fixture.replace(with: .image(2, revision: 2, title: "new"))
    fixture.settle()

    #expect(view.fields == [])
    #expect(view.states == [])
  }

  @Test func `a long scroll takes as many presenters as the list has views`() {
    for first in 0..<300 { list.scroll(to: first..<first + 9) }
    fixture.settle()

    #expect(dataSource.presenterCount == list.madeCount)
    #expect(list.madeCount <= 12)
    #expect(fixture.loader.counters.boundCells == 9)
  }

  @Test func `several data sources on one screen do not touch each other`() {
    let other = PresenterFixture(rows: .mixed(count: 30))
    list.scroll(to: 0..<9)
    other.list.scroll(to: 0..<3)

    fixture.replace(with: .text(1, "changed"))
    fixture.settle()
    other.settle()

    #expect(list[0]?.text == "changed")
    #expect(other.list[0]?.text == "text 1")
    #expect(dataSource.count == 900)
    #expect(other.dataSource.count == 30)
  }

  @Test func `two lists over one list of rows both follow a change`() {
    let second = ScriptedLoader(rows: fixture.rows)
    let other = SnippetDataSource(loader: second.loader)
    other.register(NotePresenter.init, for: .text)
    let view = NoteView()
    other.present(0, in: view)
    list.scroll(to: 0..<9)

    fixture.replace(with: .text(1, "changed"))
    fixture.settle()
    second.settle()

    #expect(list[0]?.text == "changed")
    #expect(view.text == "changed")
  }

  @Test func `a closed loader shows nothing and reads nothing`() {
    let view = NoteView()
    dataSource.present(0, in: view)
    fixture.loader.close()
    let reads = fixture.rows.reads.count

    #expect(dataSource.reuseIdentifier(at: 0) == nil)
    #expect(dataSource.present(0, in: view).isCancelled)

    #expect(fixture.rows.reads.count == reads)
    #expect(dataSource.row(in: view) == nil)
  }

  @Test func `a view that is given another row from within a field shows that one alone`() {
    let view = NoteView()
    view.onField = { [dataSource = fixture.dataSource, weak view] field in
      guard field == .title, let view else { return }
      view.onField = { _ in }
      dataSource.present(3, in: view)
    }

    fixture.dataSource.present(0, in: view)

    #expect(view.text == "text 4")
    #expect(view.fields == [.kind, .title] + SnippetField.allCases)
  }

  @Test func `a view that passes to another presenter keeps nothing of the former`() throws {
    var messages: [String] = []
    dataSource.misuseHandler = { messages.append($0) }
    dataSource.brokenReuseHandler = { messages.append($0) }
    dataSource.register(CaptionPresenter.init, for: .text)
    dataSource.show(visible: 0..<9)
    let view = PhotoView()
    dataSource.present(1, in: view)
    fixture.settle()
    try #require(view.state == fixture.loading.bytes(at: 1))

    dataSource.didEndDisplaying(view)
    dataSource.present(0, in: view)

    #expect(view.resetCount == 1 && view.states == [])
    #expect(dataSource.row(in: view)?.id.rawValue == 1)
    #expect(dataSource.presenterCount == 1)
    // It was reused, although by another presenter.
    for position in 0..<200 { dataSource.present(position % 2, in: view) }
    #expect(messages == [])
  }

  @Test func `a view of the wrong type stays empty, and the app is told`() {
    var messages: [String] = []
    let dataSource = fixture.dataSource
    dataSource.misuseHandler = { messages.append($0) }

    let outcome = dataSource.present(0, in: PhotoView())

    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.code == .notPresentable && !error.isRetryable)
    #expect(messages == [error.cause])
    #expect(error.cause.contains("PhotoView cannot show a snippet of kind text"))
    #expect(dataSource.presenterCount == 0)
  }

  @Test func `a kind without a presenter stays empty, and the app is told`() {
    var messages: [String] = []
    let dataSource = SnippetDataSource(loader: ScriptedLoader().loader)
    dataSource.misuseHandler = { messages.append($0) }

    #expect(dataSource.reuseIdentifier(at: 0) == nil)
    #expect(dataSource.designedHeight(at: 0) == nil)
    guard case .failed(let error) = dataSource.present(0, in: NoteView()) else {
      Issue.record("shown")
      return
    }
    #expect(error.code == .notPresentable)
    #expect(
      error.description == """
        Could not show the snippet: no presenter is registered for snippets of kind image. \
        Register a presenter for each kind, and present in views of its type.
        """
    )
    #expect(Set(messages) == [error.cause])
  }

  @Test func `an unreadable list says so where its length is asked for`() {
    struct Unreadable: LocalizedError {
      var errorDescription: String? { "The disk is gone." }
    }
    let stage = ScriptedLoader()
    let dataSource = SnippetDataSource(loader: stage.loader)
    var told: [LoadError?] = []
    dataSource.listErrorHandler = { told.append($0) }
    stage.rows.error = Unreadable()

    #expect(dataSource.count == 0)

    #expect(dataSource.listError == LoadError(.rowUnavailable, reason: "The disk is gone"))
    #expect(
      dataSource.listError?.description == """
        Could not read the list: The disk is gone. Tell the loader that the rows changed, then bind \
        the cell again.
        """
    )
    stage.rows.error = nil
    stage.loader.reloadRows()
    stage.settle()
    #expect(dataSource.count == 1_000)
    #expect(dataSource.listError == nil)
    #expect(told.count == 2 && told.last == .some(nil))
  }
}

extension BindOutcome {
  fileprivate var isCancelled: Bool {
    if case .failed(let error) = self { error.code == .cancelled } else { false }
  }
}

/// A presenter whose view has a height of its own.
private final class TallPresenter: CellPresenter {
  static var designedHeight: Double? { 44 }

  func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {}
}

/// Takes the view of a photo, and knows nothing of pictures.
private final class CaptionPresenter: CellPresenter {
  func update(_ field: SnippetField, of row: SnippetRow, in view: PhotoView) {}
}
