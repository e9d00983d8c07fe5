import Foundation
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(1)))
struct DoctorCommandTests {
  @Test func `what is there is named, and what is missing with what to do`() async throws {
    let snip = try SnipTool()

    let output = try await snip("doctor")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(output.lines[0].hasPrefix("store      \(snip.store.path)"))
    #expect(output.text.contains("\nsqlite     3."))
    for type in MediaSupport.current.undecodableTypes where MediaSupport.current.decodesImages {
      #expect(output.text.contains("not \(type.name): "), "\(type)")
    }
    #expect(output.text.contains("terminal   none here"))
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test func `on a terminal its width is told`() async throws {
    let output = try await SnipTool().onTerminal("doctor")

    #expect(output.text.contains("columns, with colour"), "\(output)")
  }

  @Test func `the worker alone does nothing for anybody else`() async throws {
    let snip = try SnipTool()

    let output = try await snip("decode-media", input: Data("hello".utf8))

    #expect(output.status == 0 && output.bytes.isEmpty && output.standardError.isEmpty)
  }
}
