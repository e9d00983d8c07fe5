import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

/// The samples of the article on showing a list that need no screen, run.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListSampleTests {
  @Test func `a SwiftUI list shows what appears, and follows changes`() async throws {
    let store = try await Self.store(of: 20)
    let list = SnippetListModel(store.list(), in: store)
    let screen = Screen(SnippetsView(list: list))
    screen.show(0..<5)
    #expect(list.rows.count == 20)
    #expect(screen.texts == (0..<5).map { "Note \($0)" })

    try await store.save(SnippetDraft(.text("Newest")))
    while list.rows.count == 20 { await Task.yield() }
    screen.show(0..<5)

    #expect(list.rows.count == 21)
    #expect(screen.texts == ["Newest"] + (0..<4).map { "Note \($0)" })
    screen.show(0..<0)
    #expect(list.loader.counters.boundCells == 0)
  }

  #if !canImport(UIKit)
  @Test func `a table shows what is visible, scrolls and follows changes`() async throws {
    let store = try await Self.store(of: 100)
    let screen = SnippetsController(showing: store.list(), of: store)
    screen.viewDidLoad()
    screen.viewWillAppear(false)
    screen.tableView.layoutIfNeeded()
    #expect(screen.titles == (0..<12).map { "Note \($0)" })

    screen.tableView.contentOffset.y = 40 * screen.tableView.rowHeight
    screen.tableView.layoutIfNeeded()
    #expect(screen.titles == (40..<52).map { "Note \($0)" })

    try await store.save(SnippetDraft(.text("Newest")))
    while screen.tableView.contentOffset.y < 41 * screen.tableView.rowHeight {
      await Task.yield()
    }
    screen.tableView.layoutIfNeeded()
    #expect(screen.titles == (40..<52).map { "Note \($0)" })

    // The cells of the rows that stay are theirs still, and the selection with them.
    let cell = try #require(screen.tableView.cells[45])
    let gone = try #require(store.list().rows(in: 43..<44).first)
    try await store.delete([gone.id])
    while screen.tableView.cells[44] !== cell { await Task.yield() }
    #expect(screen.titles == ([40, 41] + (43..<53)).map { "Note \($0)" })
    screen.viewDidDisappear(false)
    #expect(screen.dataSource.loader.isSuspended)
  }

  @Test func `a grid shows what is visible, scrolls and follows changes`() async throws {
    let store = try await Self.store(of: 100)
    let screen = makeGrid(of: store, layout: UICollectionViewLayout())
    screen.viewDidLoad()
    screen.viewWillAppear(false)
    screen.collectionView.layoutIfNeeded()
    #expect(screen.titles == (0..<12).map { "Note \($0)" })

    screen.collectionView.contentOffset.y = 10 * UICollectionView.side
    screen.collectionView.layoutIfNeeded()
    #expect(screen.titles == (30..<42).map { "Note \($0)" })

    let cell = try #require(screen.collectionView.cells[35])
    try await store.save(
      contentsOf: ["a", "b", "c"].map { SnippetDraft(.text($0), createdAt: .now) }
    )
    while screen.collectionView.cells[38] !== cell { await Task.yield() }
    screen.collectionView.layoutIfNeeded()
    #expect(screen.titles == (30..<42).map { "Note \($0)" })
    screen.viewDidDisappear(false)
    #expect(screen.dataSource.loader.isSuspended)
  }

  @Test func `a cell that no presenter takes is empty and said so`() async throws {
    let store = try await Self.store(of: 3)
    let dataSource = SnippetDataSource(list: store.list(), store: store)
    var misuses: [String] = []
    dataSource.misuseHandler = { misuses.append($0) }
    let table = SnippetTableController(dataSource)
    let grid = SnippetCollectionController(dataSource, layout: UICollectionViewLayout())

    table.tableView.layoutIfNeeded()
    grid.collectionView.layoutIfNeeded()

    #expect(table.titles == [nil, nil, nil])
    #expect(grid.titles == [nil, nil, nil])
    #expect(misuses.contains("no presenter is registered for snippets of kind text"))
  }
  #endif

  @Test func `a presenter shows its snippet and sends edits`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(Samples.png), title: "A picture"))
    let table = CountingTable()
    let dataSource = photoDataSource(of: store, for: table)
    let view = NoteView()

    dataSource.present(0, in: view)
    await dataSource.loader.settled()
    #expect(view.title == "A picture")

    view.onPin(true)
    while !view.isPinned { await Task.yield() }

    FilteredScreen(dataSource, of: store, in: table)
      .show(store.list(SnippetFilter(kinds: [.text])))
    #expect(table.reloadCount >= 1)
    #expect(dataSource.count == 0)
  }

  @Test func `a screen finds, selects and shows what is wrong`() async throws {
    let store = try await Self.store(of: 20)
    let table = CountingTable()
    let dataSource = photoDataSource(of: store, for: table)
    let screen = FilteredScreen(dataSource, of: store, in: table)
    screen.setHandlers()

    screen.find("")
    #expect(dataSource.count == 20)
    screen.find("Note 19")
    await screen.search?.value
    let view = NoteView()
    dataSource.present(0, in: view)
    screen.selectedID = dataSource.row(in: view)?.id
    screen.showSelection(in: view)
    #expect(view.title == "Note 19")
    #expect(view.isSelected)

    dataSource.present(0, in: table)
    #expect(screen.logged.count == 1)

    screen.show(store.list())
    try await store.close()
    #expect(dataSource.count == 0)
    #expect(table.message == "Could not read the list: the store is closed.")
  }

  @Test func `lists share edits, and one undo takes them back`() async throws {
    let store = try await Self.store(of: 20)
    let media = WorkerMedia(.init(executable: TemporaryDirectory.file("none")))
    let lists = try SeveralLists.making(of: store, by: media)
    let (view, table) = (EditableView(), CountingTable())
    for list in lists { list.register(EditablePresenter.init, for: .text) }
    let screen = FilteredScreen(lists[0], of: store, in: table)
    SeveralLists.warning(lists)

    lists[0].present(0, in: view)
    view.onTitleFocus()
    view.onTitle("Edited")
    view.onPin(true)
    view.onTag("kitchen")
    view.onRetry()
    #expect(view.title == "Edited" && view.isPinned)
    while lists[1].count == 0 { await Task.yield() }
    screen.moveToTrash([try #require(lists[0].row(in: view))])
    while lists[1].count == 1 { await Task.yield() }
    screen.undo()
    while lists[1].count == 0 { await Task.yield() }

    let row = try #require(try store.list(SnippetFilter(isPinned: true)).rows(in: 0..<9).first)
    #expect(row.title == "Edited" && row.tags == ["kitchen"])
  }

  @Test func `an edit shows in the model of a row`() async throws {
    let store = try await Self.store(of: 3)
    let list = SnippetListModel(store.list(), in: store)
    let row = try #require(list.rows.first)
    row.appear()

    let editor = SeveralLists.editing(list, of: store)

    #expect(row.row?.isPinned == true)
    await editor.undo()?.value
    #expect(try store.row(row.id)?.isPinned == false)
    list.loader.close()
  }

  private static func store(of count: Int) async throws -> SnippetStore {
    let store = try TemporaryStore.open()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    for number in 0..<count {
      let time = start.addingTimeInterval(Double(-number))
      try await store.save(SnippetDraft(.text("Note \(number)"), createdAt: time))
    }
    return store
  }
}

#if !canImport(UIKit)
extension SnippetTableController {
  /// What the cells on screen show.
  fileprivate var titles: [String?] {
    tableView.cells.cells.sorted { $0.key < $1.key }.map { _, cell in
      (cell.contentConfiguration as? UIListContentConfiguration)?.text
    }
  }
}

extension SnippetCollectionController {
  fileprivate var titles: [String?] {
    collectionView.cells.cells.sorted { $0.key < $1.key }.map { _, cell in
      (cell.contentConfiguration as? UIListContentConfiguration)?.text
    }
  }
}
#endif

/// Counts how often it is laid out anew.
private final class CountingTable: Table {
  private(set) var reloadCount = 0
  var message: String?

  func scrollToTop() {}
  func reloadData() { reloadCount += 1 }
}
