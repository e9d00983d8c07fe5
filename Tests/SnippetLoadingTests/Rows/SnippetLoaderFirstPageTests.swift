import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderFirstPageTests {
  private let fixture = ScriptedLoader { $0.countsFirst = false }
  private var loader: SnippetLoader { fixture.loader }

  init() {
    fixture.rows.countedAhead = 20
  }

  @Test func `a long list is on screen before it is counted`() {
    var toldCounts: [Int] = []
    loader.listChangeHandler = { [loader] _ in toldCounts.append(loader.count) }

    let known = loader.count
    loader.show(visible: 0..<10)
    let cells = (0..<10).map { fixture.boundCell(to: $0) }

    #expect((20..<1_000).contains(known))
    #expect(cells.map { $0.row?.id.rawValue } == (1...10).map { $0 })
    #expect(fixture.rows.reads == [])
    #expect(toldCounts == [])

    fixture.settle()

    #expect(loader.count == 1_000)
    #expect(toldCounts == [1_000])
    #expect(cells.map { $0.row?.id.rawValue } == (1...10).map { $0 })
    #expect(loader.rowInMemory(at: 9)?.id.rawValue == 10)
  }

  @Test func `rows that are scrolled to while the list is counted keep their place`() {
    var changes: [ListChange] = []
    loader.listChangeHandler = { changes.append($0) }
    loader.show(visible: 0..<10)
    loader.show(visible: 12..<20)
    fixture.settle()

    let first = SnippetID(rawValue: 13)
    #expect(changes.map(\.anchor) == [RowMove(id: first, from: 12, to: 12)])
    #expect(loader.count == 1_000)
  }

  @Test func `rows that are jumped to while the list is counted keep their place`() {
    var changes: [ListChange] = []
    loader.listChangeHandler = { changes.append($0) }
    loader.show(visible: 0..<10)
    let known = loader.count
    loader.show(visible: known - 5..<known)
    fixture.settle()

    let first = SnippetID(rawValue: Int64(known - 4))
    #expect(changes.map(\.anchor) == [RowMove(id: first, from: known - 5, to: known - 5)])
    #expect(loader.count == 1_000)
  }

  @Test func `a jump to the end counts the list first`() {
    loader.show(visible: 0..<10)
    #expect(!loader.isCounted)

    loader.reloadRows()

    #expect(loader.isCounted)
    #expect(loader.count == 1_000)
    fixture.settle()
    #expect(loader.isCounted)
  }

  @Test func `by default the list is counted at once`() {
    let fixture = ScriptedLoader()
    fixture.rows.countedAhead = 20

    #expect(fixture.loader.count == 1_000)
    #expect(fixture.rows.reads.count == 1)
  }

  @Test func `a list that cannot be counted is counted once the viewport moves`() {
    loader.listChangeHandler = { _ in }
    loader.show(visible: 0..<10)
    fixture.rows.error = LoadError(.rowUnavailable)
    fixture.settle()
    #expect(loader.count < 1_000)
    #expect(loader.rowInMemory(at: 0)?.id.rawValue == 1)

    fixture.rows.error = nil
    loader.show(visible: 5..<15)
    fixture.settle()

    #expect(loader.count == 1_000)
  }

  @Test func `a change before the list is counted is shown`() {
    loader.listChangeHandler = { _ in }
    loader.show(visible: 0..<10)
    let cell = fixture.boundCell(to: 3)

    fixture.rows.rows.remove(at: 0)
    fixture.rows.announce()
    fixture.settle()

    #expect(loader.count == 999)
    #expect(loader.rowInMemory(at: 3)?.id.rawValue == 5)
    #expect(cell.row?.id.rawValue == 4)
  }
}
