import ArgumentParser
import Foundation
import SnippetBase
import SnippetStorage

/// Makes random edits of a store that another `snip` scrolls, which started this one for it.
///
/// Hidden, because random edits of a store are of no use otherwise.
struct RandomEditsCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: OtherEditor.commandName,
    abstract: "Make random edits of a store that another snip scrolls.",
    shouldDisplay: false
  )

  @OptionGroup var store: StoreOptions
  @Option var count: Int
  @Option var seed: UInt64
  @Option var milliseconds: Int

  var colorChoice: ColorChoice { .auto }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let list = store.list()
    var random = SplitMix64(seed: seed)
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<max(0, count) {
      try await Task.sleep(
        until: start + .milliseconds(milliseconds * number / count),
        clock: clock
      )
      try await edit(store, list, number, &random)
    }
  }

  /// Edits, deletes or adds: half of the time among the first rows, where most people look.
  private func edit(
    _ store: SnippetStore,
    _ list: SnippetList,
    _ number: Int,
    _ random: inout SplitMix64
  ) async throws {
    let count = try list.count
    let position = random.below(max(1, random.chance(0.5) ? count : min(count, 100)))
    let row = try list.rows(in: position..<position + 1).first
    let kind = random.unit()
    switch row {
    case let row? where kind < 0.25:
      try await store.delete([row.id])
    case let row? where kind < 0.75:
      try await store.update(row.id, with: SnippetEdit(title: "Edit \(number)"))
    default:
      let title = "New \(number)"
      try await store.save(
        SnippetDraft(.text(title), title: title, createdAt: row?.createdAt ?? Date())
      )
    }
  }
}
