import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct ReusePoolTests {
  private let pool = ReusePool(capacity: 3)

  @Test func `a cell comes back for its own type only`() {
    let plain = pool.cell(of: PlainCell.self) { PlainCell() }
    pool.recycle(plain)

    let special = pool.cell(of: SpecialCell.self) { SpecialCell() }
    let again = pool.cell(of: PlainCell.self) { PlainCell() }

    #expect(again === plain)
    #expect(special !== plain)
    #expect(pool.createdCount == 2)
    #expect(pool.reusedCount == 1)
  }

  @Test func `a subclass is not handed out for its class`() {
    pool.recycle(pool.cell(of: SpecialCell.self) { SpecialCell() })

    let cell = pool.cell(of: PlainCell.self) { PlainCell() }

    #expect(type(of: cell) == PlainCell.self)
  }

  @Test func `types of the same name in different places do not meet`() {
    enum Here { final class Cell: PlainCell {} }
    enum There { final class Cell: PlainCell {} }

    #expect(Here.Cell.reuseIdentifier != There.Cell.reuseIdentifier)
    #expect(PlainCell.reuseIdentifier.description.hasSuffix(".PlainCell"))
  }

  @Test func `a discriminator tells cells of one type apart`() {
    let wide = pool.cell(of: RecordingCell.self, discriminator: "wide") {
      RecordingCell(discriminator: "wide")
    }
    pool.recycle(wide)

    let plain = pool.cell(of: RecordingCell.self) { RecordingCell() }
    let again = pool.cell(of: RecordingCell.self, discriminator: "wide") {
      RecordingCell(discriminator: "wide")
    }

    #expect(plain !== wide)
    #expect(again === wide)
    #expect(wide.reuseIdentifier.description.hasSuffix(".RecordingCell#wide"))
  }

  @Test func `a recycled cell releases what it showed`() {
    let cell = pool.cell(of: RecordingCell.self) { RecordingCell() }

    pool.recycle(cell)

    #expect(cell.resetCount == 1)
  }

  @Test func `the pool keeps no more than its capacity`() {
    let cells = (0..<10).map { _ in pool.cell(of: PlainCell.self) { PlainCell() } }

    for cell in cells { pool.recycle(cell) }

    #expect(pool.count == 3)
  }

  @Test func `a cell of another identifier than asked for is returned and reported`() {
    let pool = ReusePool()
    var messages: [String] = []
    pool.brokenReuseHandler = { messages.append($0) }

    let cell = pool.cell(of: PlainCell.self) { SpecialCell() }

    #expect(cell is SpecialCell)
    let (made, asked) = (ReuseIdentifier(SpecialCell.self), ReuseIdentifier(PlainCell.self))
    #expect(messages == ["a cell \(made) was made where \(asked) was asked for"])
  }
}

private class PlainCell: SnippetCell {
  func show(_ row: SnippetRow, changing fields: SnippetFields) {}
  func show(_ state: LoadState, of recipe: Recipe) {}
  func prepareForReuse() {}
}

private final class SpecialCell: PlainCell {}
