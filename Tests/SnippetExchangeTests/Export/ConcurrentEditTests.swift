import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// Edits of a note by another program in the moment in which an export replaces it.
///
/// Each test runs in a process of its own, which is stopped at its calls of the file system.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ConcurrentEditTests {
  /// The ways in which a program writes a file.
  enum Writing: String, CaseIterable {
    case inPlace, byRenaming
  }

  /// Exports a note that was edited in the store, and calls `meanwhile` before each renaming of its
  /// file, with the number of such calls before; returns the report and the texts in the folder.
  private static func export(
    in folder: String,
    meanwhile: @escaping @Sendable (_ note: URL, _ count: Int) -> Errno?
  ) async throws -> (ExportReport, [String: String]) {
    let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/other.sqlite"))
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "List")).id
    let out = URL(fileURLWithPath: folder + "/out")
    let note = out.appendingPathComponent("List.md")
    try await store.exportMarkdown(to: out)
    try await store.apply(SnippetEdit(text: "Soup"), to: id)
    let count = Lock(0)
    FileCalls.observer = { call in
      switch call {
      case .exchange:
        meanwhile(
          note,
          count.withLock {
            $0 += 1; return $0 - 1
          }
        )
      default: nil
      }
    }
    let report = try await store.exportMarkdown(to: out)
    FileCalls.observer = nil
    try await store.close()
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: out.path) {
      texts[name] = try String(contentsOf: out.appendingPathComponent(name), encoding: .utf8)
    }
    return (report, texts)
  }

  private static func write(_ text: String, to file: URL, _ writing: Writing) {
    try? Data(text.utf8).write(to: file, options: writing == .byRenaming ? .atomic : [])
  }

  @Test(arguments: Writing.allCases)
  func `a note that another program writes just then stays as that has it`(
    writing: Writing
  ) async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String,
        writing = writing.rawValue as String,
      ] in
      let writing = try #require(Writing(rawValue: writing))

      let (report, texts) = try await Self.export(in: folder) { note, count in
        if count == 0 { Self.write("Eggs", to: note, writing) }
        return nil
      }

      #expect(report[.conflict] == 1 && report[.updated] == 0, "\(report)")
      #expect(texts == ["List.md": "Eggs"])
    }
  }

  @Test(arguments: Writing.allCases)
  func `both versions stay of a note that is written while the first goes back`(
    writing: Writing
  ) async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String,
        writing = writing.rawValue as String,
      ] in
      let writing = try #require(Writing(rawValue: writing))

      let (report, texts) = try await Self.export(in: folder) { note, count in
        Self.write("Eggs \(count)", to: note, writing)
        return nil
      }

      #expect(report[.conflict] == 1 && report[.updated] == 0, "\(report)")
      #expect(texts["List.md"] == "Eggs 0")
      #expect(texts.count == 2 && texts.values.contains("Eggs 1"))
      #expect(texts.keys.allSatisfy { $0.hasSuffix("List.md") })
    }
  }

  @Test func `a note that is removed just then is not made again`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let (report, texts) = try await Self.export(in: folder) { note, _ in
        try? FileManager.default.removeItem(at: note)
        return nil
      }

      #expect(report[.conflict] == 1 && texts.isEmpty, "\(report)")
    }
  }

  @Test(arguments: [nil, Errno.invalidArgument, .noFunction, .notSupported])
  func `a note that no one else writes is updated, whether the disk exchanges names or not`(
    refusal: Errno?
  ) async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String,
        refusal = (refusal?.rawValue ?? 0) as Int32,
      ] in
      let (report, texts) = try await Self.export(in: folder) { _, _ in
        refusal == 0 ? nil : Errno(rawValue: refusal)
      }

      #expect(report[.updated] == 1 && report[.conflict] == 0, "\(report)")
      #expect(texts == ["List.md": "Soup"])
    }
  }
}
