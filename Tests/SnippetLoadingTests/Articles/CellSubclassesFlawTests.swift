import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What the code of “UITableViewCell subclasses and async loading” gets wrong.
@MainActor
struct CellSubclassesFlawTests {
  private let fixture = PresenterFixture()
  private var list: FakeListView { fixture.list }
  private var loading: ScriptedLoader { fixture.loading }

  @Test func `a result follows its item when rows are inserted and deleted above it`() throws {
    list.scroll(to: 0..<9)
    loading.executor.runAll()

    // The results are on their way to the main actor when the positions change, and with them what
    // each view shows.
    fixture.rows.rows = [.text(5_000, "new"), .text(5_001, "new")] + fixture.rows.rows.dropFirst()
    fixture.loader.reloadRows()
    list.reload(0..<9)
    fixture.settle()

    for position in 0..<9 {
      let row = fixture.rows.rows[position]
      let view = try #require(list[position])
      #expect(fixture.dataSource.row(in: view) == row)
      let blob = loading.source.blob(of: LoadKey(of: row))
      let own = row.kind == .text ? LoadState<LoadedBlob>.idle : .loaded(blob)
      #expect(view.state == own)
      #expect(view.states.allSatisfy { [.idle, .waiting, own].contains($0) })
    }
  }

  @Test func `a result goes to the view that shows the item now`() throws {
    fixture.dataSource.show(visible: 0..<9)
    let former = try #require(list.prepare(1))
    fixture.dataSource.didEndDisplaying(former)
    let current = try #require(list.prepare(1))
    former.forget()
    fixture.settle()

    #expect(current !== former)
    #expect(current.state == loading.bytes(at: 1))
    #expect(former.states == [])
  }

  @Test func `a text never gets a picture though its position was a picture's`() {
    list.scroll(to: 0..<9)
    loading.executor.runAll()

    fixture.rows.rows.removeFirst()
    list.reload(0..<9)
    fixture.settle()
    fixture.rows.announce()
    fixture.settle()
    list.reload(0..<9)
    fixture.settle()

    #expect(fixture.rows.rows[0].kind == .image)
    for position in 0..<9 {
      guard let note = list[position] as? NoteView else { continue }
      #expect(note.states.allSatisfy { $0 == .idle })
    }
    #expect(fixture.loader.counters.wrongDeliveries == 0)
  }

  @Test func `the row on screen does not wait behind all that was scrolled past`() {
    for first in 0..<400 { list.scroll(to: first..<first + 9) }
    #expect(loading.executor.pendingCount <= 4)

    loading.settle()

    // What had a worker already ends at once, without a read.
    let visible = (399..<408).filter { $0 % 3 != 0 }.map(loading.key)
    #expect(Set(loading.source.reads.prefix(visible.count)) == Set(visible))
  }

  @Test func `scrolling back and a second view load nothing again`() {
    list.scroll(to: 0..<9)
    fixture.settle()
    list.scroll(to: 9..<18)
    fixture.settle()
    let reads = loading.source.reads.count

    list.scroll(to: 0..<9)
    fixture.dataSource.present(1, in: PhotoView())

    #expect(list[1]?.state == loading.bytes(at: 1))
    fixture.settle()
    #expect(
      Set(loading.source.reads.dropFirst(reads)).isDisjoint(with: Set((0..<18).map(loading.key)))
    )
  }

  @Test func `nothing to load still loading and failed are different things`() {
    loading.source.fail(loading.key(at: 1), with: LoadError(.notFound))
    list.scroll(to: 0..<9)
    #expect(list[0]?.state == .idle)
    #expect(list[1]?.state == .waiting)

    fixture.settle()

    #expect(list[1]?.state == .failed(LoadError(.notFound)))
  }

  @Test func `the same item set again flashes nothing`() throws {
    list.scroll(to: 0..<9)
    fixture.settle()
    let view = try #require(list[1])
    view.forget()

    for _ in 0..<10 { #expect(fixture.dataSource.present(1, in: view) == .unchanged) }

    #expect(view.states == [] && view.fields == [] && view.resetCount == 0)
  }

  @Test func `a worker reads what the row was when it was asked for`() {
    let fixture = ScriptedLoader { $0.ranges = .none }
    let cell = fixture.boundCell(to: 0)
    let rowReads = fixture.rows.reads.count
    // The snippet has another picture before a worker gets to it, and nobody was told.
    fixture.rows.rows[0] = .image(1, blob: 5_000, revision: 2)

    fixture.executor.runAll()

    #expect(fixture.source.reads == [fixture.key(at: 0)])
    #expect(fixture.rows.reads.count == rowReads)
    fixture.rows.announce()
    fixture.settle()
    #expect(fixture.source.reads == [fixture.key(at: 0), LoadKey(blob: 5_000)])
    #expect(cell.bytes == fixture.source.bytes(of: LoadKey(blob: 5_000)))
  }

  @Test func `a load under way keeps neither list nor cell alive`() {
    var fixture: ScriptedLoader? = ScriptedLoader()
    let executor = fixture?.executor
    var cell = fixture?.boundCell(to: 1)
    weak let goneCell = cell
    weak let goneLoader = fixture?.loader
    #expect(goneCell != nil && executor?.pendingCount ?? 0 > 0)

    cell = nil
    fixture = nil

    #expect(goneCell == nil)
    #expect(goneLoader == nil)
    executor?.runAll()
  }

  @Test func `computing and decoding are done when the result comes and never on main`() async {
    let decoder = Decoder()
    let rules = RecipeRules(processors: [decoder], recipes: [decoder.recipe]) { _, _ in
      [decoder.recipe]
    }
    let fixture = ScriptedLoader(rules: rules, isThreaded: true) { $0.ranges = .none }
    let cell = fixture.boundCell(to: 1)
    var turns: [Bool] = []
    cell.onState = { _ in turns.append(MainQueue.isCurrent) }

    await fixture.deliverAll()

    guard case .loaded(let blob) = cell.state else {
      Issue.record("nothing came")
      return
    }
    #expect(blob.content(as: [UInt8].self) == Array(fixture.source.bytes(of: fixture.key(at: 1))))
    #expect(decoder.turns.withLock { $0 } == [false])
    #expect(fixture.source.mainThreadReads == 0)
    #expect(turns == [true])
  }
}

/// Decodes bytes, and notes whether that was on the main thread.
private struct Decoder: BlobProcessor {
  let recipe = Recipe.numbered(5)
  let turns = SharedFlags()

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    turns.withLock { $0.append(MainQueue.isCurrent) }
    try context.attach(Array(input.bytes), byteCount: input.bytes.count)
  }
}

private final class SharedFlags: Sendable {
  private let flags = Lock<[Bool]>([])

  func withLock<Result>(_ body: (inout [Bool]) -> Result) -> Result { flags.withLock(body) }
}
