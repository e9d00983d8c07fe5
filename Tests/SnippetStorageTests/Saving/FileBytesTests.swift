import Foundation
import SnippetBase
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetStorage

struct FileBytesTests {
  private let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test func `a file is read at any position`() throws {
    try withFile(content) { path in
      let source = try FileBytes(path: path)

      #expect(source.byteCount == 10_000)
      #expect(try source.bytes(at: 0, count: 10_000) == content)
      #expect(try source.bytes(at: 9_000, count: 50) == Array(content[9_000..<9_050]))
      #expect(try source.bytes(at: 9_990, count: 50) == Array(content[9_990...]))
      #expect(try source.bytes(at: 10_000, count: 5) == [])
      #expect(try source.bytes(at: .max, count: 5) == [])
    }
  }

  @Test func `many threads read one file`() throws {
    try withFile(content) { path in
      let source = try FileBytes(path: path)
      let matches = Counter()

      DispatchQueue.concurrentPerform(iterations: 64) { index in
        let offset = index * 150
        let expected = Array(content[offset..<offset + 100])
        // A read that fails is one that does not match.
        if (try? source.bytes(at: Int64(offset), count: 100)) == expected { matches.add(1) }
      }

      #expect(matches.value == 64)
    }
  }

  @Test func `a file that is cut gives what is left`() throws {
    try withFile(content) { path in
      let source = try FileBytes(path: path)
      try Data(content[..<100]).write(to: URL(filePath: path))

      #expect(try source.bytes(at: 50, count: 100) == Array(content[50..<100]))
    }
  }

  @Test func `what is no file says why`() {
    let error = #expect(throws: FileError.self) { try FileBytes(path: "/no/such/file") }
    #expect(error?.code == .noSuchFileOrDirectory)
    #expect(throws: NotARegularFile.self) { try FileBytes(path: "/") }
    #expect(throws: NotARegularFile.self) { try FileBytes(path: "/dev/null") }
  }

  private func withFile(_ content: [UInt8], _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(content).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    try body(file.path(percentEncoded: false))
  }
}
