import Foundation
import SnippetBase
@testable import SnippetLoading
import SnippetTesting
import Testing

struct LoadContextTests {
  @Test func `pieces are joined in order`() throws {
    var context = LoadContext()
    try context.reserve(byteCount: 6)
    try context.append(Data([1, 2]))
    try [3, 4].withUnsafeBytes { try context.append(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
    try context.append(Data([5, 6, 7, 8]))

    #expect(context.take(for: LoadKey(blob: 1)).bytes == Data([1, 2, 3, 5, 6, 7, 8]))
  }

  // What the test of an app does with a source or a processor of its own.
  @Test func `what was added and attached can be looked at`() throws {
    var context = LoadContext()
    #expect(context.bytes.isEmpty && context.content(as: String.self) == nil)

    try context.append(Data([1, 2]))
    try context.attach("decoded", byteCount: 7)

    #expect(context.bytes == Data([1, 2]))
    #expect(context.content(as: String.self) == "decoded")
    #expect(context.content(as: Int.self) == nil)
  }

  @Test func `nothing added is an empty blob`() {
    let context = LoadContext()

    #expect(context.take(for: LoadKey(blob: 1)).bytes.isEmpty)
  }

  @Test func `a whole blob is taken over without a copy`() throws {
    let blob = Data(repeating: 7, count: 100_000)
    let address = blob.withUnsafeBytes { $0.baseAddress }
    var context = LoadContext()
    try context.reserve(byteCount: blob.count)
    try context.append(blob)

    #expect(context.take(for: LoadKey(blob: 1)).bytes.withUnsafeBytes { $0.baseAddress } == address)
  }

  @Test func `a piece is refused when nobody waits any more`() throws {
    let isCancelled = Lock(false)
    var context = LoadContext(isCancelled: { isCancelled.withLock { $0 } })
    try context.append(Data([1]))
    var code: LoadError.Code?

    isCancelled.withLock { $0 = true }
    do throws(LoadError) { try context.append(Data([2])) } catch { code = error.code }

    #expect(code == .cancelled)
    #expect(context.take(for: LoadKey(blob: 1)).bytes == Data([1]))
  }

  @Test(arguments: [-5, 0, 10, 11, .max])
  func `a size beyond the limit is refused before anything is read`(byteCount: Int) {
    var context = LoadContext(maximumByteCount: 10)
    var code: LoadError.Code?

    do throws(LoadError) { try context.reserve(byteCount: byteCount) } catch { code = error.code }

    #expect(code == (byteCount > 10 ? .tooLarge : nil))
  }

  @Test func `a source that announces too little is stopped at the limit`() throws {
    var context = LoadContext(maximumByteCount: 10)
    var code: LoadError.Code?
    try context.reserve(byteCount: 1)
    try context.append(Data(count: 10))

    do throws(LoadError) { try context.append(Data(count: 1)) } catch { code = error.code }

    #expect(code == .tooLarge)
    #expect(context.take(for: LoadKey(blob: 1)).bytes.count == 10)
  }

  @Test func `content that is refused leaves the former content and its size`() throws {
    var context = LoadContext(maximumByteCount: 10)
    try context.append(Data([1]))
    try context.attach("former", byteCount: 7)
    var code: LoadError.Code?

    do throws(LoadError) {
      try context.attach("larger", byteCount: 10)
    } catch { code = error.code }

    #expect(code == .tooLarge)
    #expect(context.content(as: String.self) == "former")
    #expect(context.take(for: LoadKey(blob: 1)).byteCount == 8)
  }
}
