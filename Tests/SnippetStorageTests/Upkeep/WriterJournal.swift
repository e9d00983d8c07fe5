#if os(Linux)
import Foundation
import SnippetStorage
import SnippetTestSupport

/// The file in which a process says what its two writers begin, and what was acknowledged.
///
/// It is written line by line without a buffer, so that it has all of that whenever the process is
/// killed.
enum WriterJournal {
  /// What a snippet was saved with.
  struct Content {
    var title: String
    /// The title when it was saved, which gives the bytes.
    let name: String
    /// The size of an image; 0 for a text.
    let size: Int

    init(name: String, size: Int) {
      (title, self.name, self.size) = (name, name, size)
    }

    var bytes: Data {
      size == 0 ? Data(name.utf8) : Samples.bytes(size, seed: UInt64(size))
    }

    var draft: SnippetDraft {
      size == 0 ? SnippetDraft(.text(name), title: name) : Samples.image(bytes, title: name)
    }
  }

  /// One thing that a writer does.
  enum Work {
    case save(Content)
    case edit(SnippetID, String)
    case delete(SnippetID)
  }

  /// What one writer has said.
  struct Lane {
    private(set) var snippets: [SnippetID: Content] = [:]
    private(set) var acknowledgedCount = 0
    /// What it had begun when it was killed.
    private(set) var pending: Work?

    /// Takes in a line.
    mutating func take(_ words: [Substring]) {
      let id = words.count > 1 ? Int64(words[1]).map(SnippetID.init(rawValue:)) : nil
      switch words[0] {
      case "save": pending = .save(Content(name: String(words[1]), size: Int(words[2]) ?? 0))
      case "edit": pending = id.map { .edit($0, String(words[2])) }
      case "delete": pending = id.map(Work.delete)
      default:
        switch pending {
        case .save(let content): if let id { snippets[id] = content }
        case .edit(let id, let title): snippets[id]?.title = title
        case .delete(let id): snippets[id] = nil
        case nil: return
        }
        pending = nil
        acknowledgedCount += 1
      }
    }
  }

  // MARK: - Reading

  /// The number of the process that writes a journal; `nil` before it has begun.
  static func process(of journal: URL) -> pid_t? {
    lines(of: journal).first.flatMap { pid_t($0) }
  }

  /// What each writer has said.
  static func lanes(in journal: URL) -> [Lane] {
    var lanes: [Substring: Lane] = [:]
    for line in lines(of: journal).dropFirst() {
      let words = line.split(separator: "\t")
      lanes[words[0], default: Lane()].take(Array(words.dropFirst()))
    }
    return Array(lanes.values)
  }

  /// The complete lines.
  private static func lines(of journal: URL) -> [Substring] {
    let text = (try? String(contentsOf: journal, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  // MARK: - Writing

  /// Writes to a store with two writers until the process is killed.
  static func write(to file: URL, _ journal: URL, seed: UInt64) async throws {
    let descriptor = open(journal.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    try say("\(getpid())", descriptor)
    let store = try SnippetStore(at: file)
    try await withThrowingTaskGroup { group in
      for lane in 0..<2 {
        group.addTask {
          var writer = Writer(
            name: "\(journal.lastPathComponent)-\(lane)",
            store: store,
            journal: descriptor,
            random: SeededGenerator(seed: seed &+ UInt64(lane))
          )
          // More than can be done before it is killed.
          for number in 0..<10_000 { try await writer.write(number) }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func say(_ line: String, _ descriptor: Int32) throws {
    let bytes = Array("\(line)\n".utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  private struct Writer {
    let name: String
    let store: SnippetStore
    let journal: Int32
    var random: SeededGenerator
    private var ids: [SnippetID] = []

    init(name: String, store: SnippetStore, journal: Int32, random: SeededGenerator) {
      (self.name, self.store, self.journal, self.random) = (name, store, journal, random)
    }

    mutating func write(_ number: Int) async throws {
      let title = "\(name)-\(number)"
      switch ids.isEmpty ? 9 : random.below(10) {
      case 0...2:
        let id = ids.remove(at: random.below(ids.count))
        try say("delete\t\(id.rawValue)")
        _ = try await store.delete([id])
        try say("done")
      case 3...4:
        let id = random.element(of: ids)
        try say("edit\t\(id.rawValue)\t\(title)")
        try await store.apply(SnippetEdit(title: title), to: id)
        try say("done")
      default:
        let content = Content(name: title, size: random.chance(0.5) ? 0 : random.below(200_000))
        try say("save\t\(content.name)\t\(content.size)")
        let id = try await store.save(content.draft).id
        try say("done\t\(id.rawValue)")
        ids.append(id)
      }
    }

    private func say(_ words: String) throws {
      try WriterJournal.say("\(name)\t\(words)", journal)
    }
  }
}
#endif
