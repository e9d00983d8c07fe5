import SnippetStorage
import SnippetTesting
import Testing

@testable import SnippetLoading

/// What is visible in several places of a list.
@MainActor
struct SnippetLoaderStretchTests {
  private let fixture = ScriptedLoader(rows: ScriptedRows(count: 100_000)) { $0.workerCount = 1 }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `all that is visible is loaded before anything ahead, wherever it is`() {
    loader.show(stretches: [0..<1, 50_000..<50_004, 90_000..<90_001])
    let cells = [0, 50_000, 50_001, 50_002, 50_003, 90_000].map { fixture.boundCell(to: $0) }
    fixture.settle()

    #expect(cells.allSatisfy { $0.bytes != nil })
    let visible = Set([0, 50_000, 50_001, 50_002, 50_003, 90_000].map(fixture.key))
    #expect(Set(fixture.source.reads.prefix(6)) == visible)
    #expect(fixture.source.reads.count > 6)
  }

  @Test func `what stays on screen is not pushed out while the list scrolls below it`() {
    let fixture = ScriptedLoader(rows: ScriptedRows(count: 100_000)) {
      $0.cacheByteLimit = 12 * 1_128
    }
    let header = RecordingCell()
    fixture.loader.show(stretches: [0..<1, 50_000..<50_004])
    fixture.loader.bind(header, to: 0)
    fixture.settle()
    for first in stride(from: 50_010, to: 50_400, by: 10) {
      fixture.loader.show(stretches: [first..<first + 4, 0..<1])
      fixture.settle()
    }
    header.prepareForReuse()

    #expect(fixture.loader.pipeline.blobInMemory(for: fixture.key(at: 0)) != nil)
    #expect(fixture.source.readCount(of: fixture.key(at: 0)) == 1)
  }

  @Test func `a change of what stays on screen reaches its cell`() {
    loader.show(stretches: [0..<1, 50_000..<50_004])
    let header = fixture.boundCell(to: 0)
    fixture.settle()

    fixture.rows.rows[0] = .image(1, revision: 2, title: "new")
    fixture.rows.announce()
    fixture.settle()

    #expect(header.row?.title == "new")
  }

  @Test func `a stretch that is gone is loaded as anything off screen`() throws {
    loader.show(stretches: [0..<1, 50_000..<50_004])
    fixture.settle()
    loader.show(visible: 50_000..<50_004)
    let cell = fixture.boundCell(to: 0)
    let other = fixture.boundCell(to: 50_003)
    let binding = try #require(loader.binder.bindings.binding(of: cell))
    #expect(!loader.screen.isInOtherStretch(binding.position))
    fixture.settle()
    #expect(cell.bytes != nil)
    #expect(other.bytes != nil)
  }

  @Test(arguments: [[], [5..<5], [-4 ..< -1], [.max - 1..<Int.max]] as [[Range<Int>]])
  func `any positions are taken`(stretches: [Range<Int>]) {
    loader.show(stretches: stretches)
    fixture.settle()
    loader.show(stretches: stretches + [0..<4])
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    #expect(cell.bytes != nil)
  }
}
