import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What “UITableViewCell subclasses and async loading” promises.
@MainActor
struct CellSubclassesTests {
  private let fixture = PresenterFixture()
  private var list: FakeListView { fixture.list }
  private var loading: ScriptedLoader { fixture.loading }

  @Test func `a list of any length takes views and rows for one screen`() {
    let fixture = PresenterFixture(rows: .mixed(count: 6_000)) { $0.maximumRowCount = 100 }
    for first in stride(from: 0, to: 5_000, by: 37) { fixture.list.scroll(to: first..<first + 9) }
    fixture.settle()

    #expect(fixture.list.madeCount <= 15)
    #expect((0..<6_000).count { fixture.loader.rowInMemory(at: $0) != nil } < 600)
  }

  @Test func `nothing is done for a row before its view is needed`() {
    let fixture = PresenterFixture { $0.ranges = .none }
    fixture.list.scroll(to: 0..<9)
    fixture.settle()

    let blobs = Set(fixture.loading.source.reads.map(\.blobID?.rawValue))
    #expect(blobs == [2, 3, 5, 6, 8, 9])
    #expect(fixture.list.madeCount == 9)
  }

  @Test func `a text is in its view before the view is handed back`() throws {
    fixture.dataSource.show(visible: 0..<9)

    let view = try #require(list.prepare(3))

    #expect(view.text == "text 4")
    #expect(view.states == [.idle])
    #expect(loading.scheduler.pendingCount == 0)
  }

  @Test func `three kinds are shown by a list that knows none of them`() {
    list.scroll(to: 0..<9)
    fixture.settle()

    for position in 0..<9 {
      let isText = position % 3 == 0
      #expect(list[position]?.state == (isText ? .idle : loading.bytes(at: position)))
    }
  }

  @Test func `heavy content of the former item is gone before the new load begins`() throws {
    list.scroll(to: 0..<9)
    fixture.settle()
    let view = try #require(list[1])

    fixture.dataSource.present(400, in: view)

    #expect(view.state == .waiting)
    #expect(loading.source.readCount(of: loading.key(at: 400)) == 0)
  }

  @Test func `a row shown by hand is shown and a bind that follows shows all anew`() {
    // As in a preview, without a loader.
    let view = PhotoView()
    PhotoPresenter().show(.image(2, title: "by hand"), changing: .all, in: view)
    #expect(view.title == "by hand")
    view.forget()

    // The same snippet: what the view was shown by hand is not taken for what it was bound to.
    fixture.dataSource.present(1, in: view)
    fixture.settle()

    #expect(view.title == "")
    #expect(view.fields == SnippetField.allCases)
    #expect(view.states == [.waiting, loading.bytes(at: 1)])
  }

  @Test func `a grid filled in any order is served as a list is`() {
    let cells = (0..<12).shuffled(by: 3).map { ($0, RecordingCell()) }
    loading.loader.show(visible: 0..<12)
    for (position, cell) in cells { loading.loader.bind(cell, to: position) }
    fixture.settle()

    for (position, cell) in cells {
      #expect(cell.row?.id.rawValue == Int64(position + 1))
      #expect(position % 3 == 0 ? cell.state == .idle : cell.state == loading.bytes(at: position))
    }
  }

  @Test func `a type of cell supplies its hooks and nothing else`() {
    let cell = HooksOnly()
    loading.loader.bind(cell, to: 1)
    fixture.settle()
    loading.loader.unbind(cell)
    cell.prepareForReuse()

    #expect(cell.calls == ["update row", "update state", "update state", "reset"])
  }
}

/// The least that a cell can be.
private final class HooksOnly: SnippetCell {
  private(set) var calls: [String] = []

  func show(_ row: SnippetRow, changing fields: SnippetFields) { calls.append("update row") }
  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) { calls.append("update state") }
  func prepareForReuse() { calls.append("reset") }
}

extension Sequence {
  /// The elements in an order that a seed decides.
  fileprivate func shuffled(by seed: UInt64) -> [Element] {
    var generator = SeededGenerator(seed: seed)
    return shuffled(using: &generator)
  }
}
