import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderRowReadTests {
  private let fixture = ScriptedLoader()
  private var loader: SnippetLoader { fixture.loader }
  private var mainReads: Int { loader.counters.rowReads }

  @Test func `a slow scroll reads nothing on the main actor`() {
    loader.show(visible: 0..<10)
    fixture.settle()
    let reads = mainReads

    for first in 1..<900 {
      loader.show(visible: first..<first + 10)
      for position in first..<first + 10 { #expect(loader.rowInMemory(at: position) != nil) }
      fixture.settle()
    }
    for first in (0..<900).reversed() {
      loader.show(visible: first..<first + 10)
      fixture.settle()
    }

    #expect(mainReads == reads)
    #expect(loader.counters.rowReadsAhead > 0)
  }

  @Test func `a read ahead that is slow holds nothing up as long as rows last`() {
    loader.show(visible: 0..<10)
    fixture.settle()
    let reads = mainReads

    // No read ahead is run: those held last for a while, and one more is asked for at most.
    for first in 1..<10 { loader.show(visible: first..<first + 10) }

    #expect(mainReads == reads)
    #expect(fixture.rowExecutor.pendingCount <= 1)
  }

  @Test func `a jump reads once on the main actor`() {
    loader.show(visible: 0..<10)
    fixture.settle()
    let reads = mainReads

    loader.show(visible: 500..<510)
    for position in 500..<510 { loader.bind(RecordingCell(), to: position) }

    #expect(mainReads == reads + 1)
    fixture.settle()
    #expect(mainReads == reads + 1)
  }

  // A list that asks for the height of a row far away, or binds a cell there, shows others still.
  @Test func `a look at a row far away takes nothing off the screen`() {
    var changes: [ListChange] = []
    loader.listChangeHandler = { changes.append($0) }
    loader.show(visible: 100..<110)
    fixture.settle()

    let far = fixture.boundCell(to: 900)
    fixture.settle()

    #expect(far.row?.id.rawValue == 901)
    #expect((100..<110).allSatisfy { loader.rowInMemory(at: $0)?.id.rawValue == Int64($0) + 1 })
    fixture.rows.rows.insert(.image(5_000), at: 0)
    fixture.rows.announce()
    fixture.settle()
    #expect(changes.map(\.displacement) == [1])
  }

  @Test func `looks at rows far away read a stretch of them at a time`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    let reads = mainReads

    for position in 400..<800 { #expect(fixture.boundCell(to: position).row != nil) }

    #expect(mainReads - reads <= 400 / 32 + 1)
  }

  @Test func `a position beyond the list is not read`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    let reads = mainReads

    #expect(loader.bind(RecordingCell(), to: 1_000) == .failed(LoadError(.rowUnavailable)))

    #expect(mainReads == reads)
    #expect((100..<110).allSatisfy { loader.rowInMemory(at: $0) != nil })
  }

  @Test func `a list that binds cells before it says what is visible reads once`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    let reads = mainReads

    for position in 500..<510 { loader.bind(RecordingCell(), to: position) }
    loader.show(visible: 500..<510)

    #expect(mainReads == reads + 1)
    #expect((500..<510).allSatisfy { loader.rowInMemory(at: $0) != nil })
  }

  @Test func `a read ahead that comes after a jump does no harm`() {
    loader.show(visible: 0..<10)
    // The read ahead for the top is under way when the list jumps.
    loader.show(visible: 500..<510)
    let cell = fixture.boundCell(to: 505)
    fixture.settle()

    #expect(cell.row?.id.rawValue == 506)
    #expect(loader.rowInMemory(at: 505)?.id.rawValue == 506)
    #expect((500..<510).allSatisfy { loader.rowInMemory(at: $0) != nil })
  }

  @Test func `rows in memory may be asked for without a read`() {
    #expect(loader.rowInMemory(at: 0) == nil)
    #expect(fixture.rows.reads == [])
  }

  @Test func `a change found by a read ahead is shown and reported once`() {
    var changes = 0
    loader.listChangeHandler = { _ in changes += 1 }
    loader.show(visible: 0..<10)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    // Nobody announces it.
    fixture.rows.rows[0] = .image(1, revision: 2, title: "new")
    fixture.rows.rows.insert(.image(5_000), at: 5)
    for first in 1..<40 where changes == 0 {
      loader.show(visible: first..<first + 10)
      fixture.settle()
    }

    #expect(changes == 1)
    #expect(loader.count == 1_001)
    // The cell has moved out of what was read again, or was found in it; either way it is right.
    loader.bind(cell, to: 0)
    #expect(cell.row?.title == "new")
  }

  @Test func `a change that a jump finds is shown in the cells that stay`() {
    var changes = 0
    loader.listChangeHandler = { _ in changes += 1 }
    loader.show(visible: 0..<10)
    fixture.settle()
    fixture.rows.rows.removeLast()

    loader.show(visible: 500..<510)
    let cell = fixture.boundCell(to: 500)
    fixture.settle()

    #expect(changes == 1)
    #expect(loader.count == 999)
    #expect(cell.row?.id.rawValue == 501)
  }
}
