import SnippetLoading
import SnippetTesting
import Testing

/// What the loader finds in memory: what it keeps, and what cells hold.
@MainActor
struct SnippetLoaderMemoryTests {
  private let fixture = ScriptedLoader()
  private var loader: SnippetLoader { fixture.loader }

  @Test func `a blob in memory is found from any thread and nothing else is loaded`() async {
    loader.show(visible: 0..<10)
    fixture.settle()
    let readCount = fixture.source.reads.count
    let (loader, here, elsewhere) = (loader, fixture.key(at: 3), fixture.key(at: 500))

    let found = await Task.detached {
      (loader.pipeline.blobInMemory(for: here), loader.pipeline.blobInMemory(for: elsewhere))
    }.value

    #expect(found.0?.bytes == fixture.source.bytes(of: here))
    #expect(found.0?.key == here)
    #expect(found.1 == nil)
    fixture.settle()
    #expect(fixture.source.reads.count == readCount)
    loader.close()
    #expect(loader.pipeline.blobInMemory(for: here) == nil)
  }

  @Test func `what a cell shows is not read again after the cache was emptied`() {
    let cell = fixture.boundCell(to: 3)
    fixture.settle()
    loader.pipeline.trimCache(to: 0)
    #expect(loader.counters.cacheCount == 0)

    let other = RecordingCell()
    #expect(loader.bind(other, to: 3) == .hit)
    loader.show(visible: 3..<4)
    fixture.settle()

    #expect(other.bytes == cell.bytes)
    #expect(fixture.source.readCount(of: fixture.key(at: 3)) == 1)
    #expect(loader.counters.cacheWeakHits == 1)
    #expect(loader.counters.cacheCost > 0)
  }

  @Test func `what no cell shows any more is read again after the cache was emptied`() {
    var cell: RecordingCell? = fixture.boundCell(to: 3)
    fixture.settle()
    #expect(cell?.bytes != nil)
    loader.pipeline.trimCache(to: 0)
    cell = nil

    #expect(loader.bind(RecordingCell(), to: 3) == .pending)
    fixture.settle()

    #expect(fixture.source.readCount(of: fixture.key(at: 3)) == 2)
    #expect(loader.counters.cacheWeakHits == 0)
  }

  @Test func `cells share a blob that the cache has no room for`() {
    let fixture = ScriptedLoader { $0.cacheByteLimit = 1_000 }
    let cell = fixture.boundCell(to: 3)
    fixture.settle()

    let other = RecordingCell()
    #expect(fixture.loader.bind(other, to: 3) == .hit)

    #expect(other.bytes == cell.bytes)
    #expect(fixture.source.reads.count == 1)
    #expect(fixture.loader.counters.cacheCost == 0)
    #expect(fixture.loader.counters.cacheBypasses == 1)
  }
}
