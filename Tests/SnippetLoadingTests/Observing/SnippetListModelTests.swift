import Foundation
import Observation
import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

/// A list as a model that is observed.
@MainActor
struct SnippetListModelTests {
  private let fixture: ScriptedLoader
  private let list: SnippetListModel

  init() {
    fixture = ScriptedLoader(rows: ScriptedRows(count: 1_000))
    list = SnippetListModel(fixture.loader)
  }

  /// Brings rows on screen.
  private func appear(_ positions: Range<Int>) -> [SnippetRowModel] {
    let rows = positions.map { list.rows[$0] }
    for row in rows { row.appear() }
    return rows
  }

  /// Whether an observer of a value is told of a change that something makes.
  private func hears(of value: () -> Void, when change: () -> Void) -> Bool {
    let told = Box()
    withObservationTracking(value) { told.isSet = true }
    change()
    return told.isSet
  }

  private final class Box: @unchecked Sendable {
    // Written and read on the main actor alone, by a closure that cannot say so.
    var isSet = false
  }

  private func announce(_ rows: [SnippetRow]) {
    fixture.rows.rows = rows
    fixture.rows.announce()
    fixture.settle()
  }

  @Test func `rows are there at once and their blobs once they appear`() {
    #expect(list.rows.count == 1_000)
    #expect(list.rows[999].row?.id.rawValue == 1_000)

    let rows = appear(0..<10)
    #expect(rows[3].content(.original).content == nil)
    fixture.settle()

    #expect(rows[3].content(.original).content == fixture.source.bytes(of: fixture.key(at: 3)))
    #expect(list.rows[3] === rows[3])
    #expect(list.rows[500].content(.original).content == nil)
  }

  @Test func `an observer hears of a content that arrives and of a new title`() {
    let row = appear(0..<1)[0]

    #expect(hears(of: { _ = row.content(.original) }, when: { fixture.settle() }))
    var rows = fixture.rows.rows
    rows[0] = .image(1, revision: 2, title: "new")
    let isTold = hears(of: { _ = row.row }, when: { announce(rows) })

    #expect(isTold)
    #expect(row.row?.title == "new")
  }

  @Test func `a row keeps its model where it moves`() {
    let rows = appear(0..<10)
    fixture.settle()

    let isTold = hears(
      of: { _ = list.rows },
      when: { announce([.image(5_000)] + fixture.rows.rows) }
    )

    #expect(isTold)
    #expect(list.rows.count == 1_001)
    #expect(list.rows[1] === rows[0] && list.rows[10] === rows[9])
    #expect(fixture.source.readCount(of: LoadKey(blob: 1)) == 1)
    #expect(rows[0].content(.original).content != nil)
  }

  @Test func `a title alone makes no other rows`() {
    _ = appear(0..<10)
    fixture.settle()
    var rows = fixture.rows.rows
    rows[2] = .image(3, revision: 2, title: "new")

    #expect(!hears(of: { _ = list.rows }, when: { announce(rows) }))
  }

  @Test func `a row that disappears gives up its content and its load`() {
    let rows = appear(0..<10)
    rows[0].disappear()
    fixture.settle()

    #expect(rows[0].content(.original).content == nil)
    #expect(rows[0].row != nil)
    #expect(fixture.loader.counters.boundCells == 9)
  }

  @Test func `nothing is loaded any more once the last row has disappeared`() {
    let rows = appear(0..<10)
    for row in rows { row.disappear() }
    fixture.settle()

    #expect((0..<1_000).allSatisfy { fixture.source.readCount(of: fixture.key(at: $0)) == 0 })
  }

  @Test func `a row that is deleted on screen is shown no more and loads nothing`() {
    let rows = appear(0..<10)
    announce(Array(fixture.rows.rows.dropFirst()))

    #expect(list.rows[0] === rows[1])
    #expect(fixture.loader.counters.boundCells == 9)
    rows[0].disappear()
    rows[0].appear()
    fixture.settle()
    #expect(rows[0].id.rawValue == 1)
  }

  @Test func `a position outside of the list has a model without a row`() {
    let beyond = list.rows[5_000]

    #expect(beyond.row == nil)
    #expect(beyond.id != list.rows[5_001].id)
    beyond.appear()
    beyond.disappear()
    beyond.retry()
  }

  @Test func `a list that cannot be read says why and comes back`() {
    let error = LoadError(.unreadable)
    let rows = ScriptedRows(count: 10)
    rows.error = error

    list.show(rows)
    #expect(list.rows.isEmpty)
    #expect(list.error != nil)
    rows.error = nil
    rows.announce()
    fixture.settle()

    #expect(list.rows.count == 10)
    #expect(list.error == nil)
  }

  @Test func `models of rows that nobody holds go`() {
    for position in 0..<1_000 { _ = list.rows[position] }
    weak let row = list.rows[500]

    #expect(row == nil)
  }
}
