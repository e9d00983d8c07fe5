import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory)
struct TagRenamingTests {
  let store: SnippetStore

  init() async throws {
    store = try TemporaryStore.open()
    let all = [["work"], ["Work/Berlin", "home"], ["workshop"], ["job"], ["job/berlin", "work"]]
    for (number, tags) in all.enumerated() {
      try await store.save(SnippetDraft(.text("\(number)"), tags: tags))
    }
  }

  private var tags: [[String]] {
    get throws { try store.list(order: .oldestFirst).rows(in: 0..<9).map(\.tags) }
  }

  @Test func `the tags below go along, and equal names become one`() async throws {
    let list = store.list(SnippetFilter(tags: ["job"]))
    #expect(try list.count == 2)

    #expect(try await store.renameTag("WORK", to: "job") == 3)

    #expect(
      try tags
        == [["job"], ["home", "job/berlin"], ["workshop"], ["job"], ["job", "job/berlin"]]
    )
    #expect(try list.count == 4)
    #expect(try await store.tags().map(\.name) == ["home", "job", "job/berlin", "workshop"])
    #expect(try await store.check().isSound)
  }

  @Test(arguments: [
    ("work", "Work", "Work,home+Work/Berlin"),
    ("work", "work/old", "work/old,home+work/old/Berlin"),
    ("work/berlin", "work", "work,home+work"), ("none", "x", "work,home+Work/Berlin"),
  ])
  func `a tag can get another case, or go below or above itself`(
    name: String,
    newName: String,
    expected: String
  ) async throws {
    let count = try await store.renameTag(name, to: newName)

    #expect((count == nil) == (name == "none"))
    #expect(try tags.prefix(2).map { $0.joined(separator: "+") }.joined(separator: ",") == expected)
  }

  @Test(arguments: [("home/inn", "home"), ("home", "home/inn")])
  func `a tag above or below another one of the same name stays another tag`(
    name: String,
    newName: String
  ) async throws {
    let below = name + "/inn"
    let upper = try await store.save(SnippetDraft(.text("above"), tags: [name]))
    let lower = try await store.save(SnippetDraft(.text("below"), tags: [below]))

    try await store.renameTag(name, to: newName)

    #expect(try store.row(upper.id)?.tags == [newName])
    #expect(try store.row(lower.id)?.tags == [newName + "/inn"])
  }

  @Test(arguments: ["a,b", " ", String(repeating: "x", count: 95)])
  func `a name that is no tag changes nothing`(name: String) async throws {
    let code = await errorCode(of: { try await store.renameTag("work", to: name) })

    #expect(code == .invalidInput)

    #expect(try tags.prefix(2) == [["work"], ["home", "Work/Berlin"]])
  }

  @Test func `snippets in the trash are renamed too`() async throws {
    try await store.moveToTrash([SnippetID(rawValue: 1)])

    #expect(try await store.renameTag("work", to: "done") == 3)

    #expect(try store.row(SnippetID(rawValue: 1))?.tags == ["done"])
  }
}
