import Foundation
import SnippetTestSupport

/// A store and Litestream, which copies its changes to another place, as the article sets it up.
struct Replication {
  /// `snip` and Litestream, with the store where it is by default.
  let tool: SnipTool

  /// Writes a configuration of the article, with places of this test in place of some of its words.
  init(configuration: String, replacing places: [String: String]) throws {
    tool = try SnipTool().with([
      "LITESTREAM_ACCESS_KEY_ID": "key", "LITESTREAM_SECRET_ACCESS_KEY": "secret",
      "SNIP_STORE": nil,
    ])
    var configuration = configuration
    for (word, place) in places { configuration.replace(word, with: place) }
    try tool.write(Data(configuration.utf8), "litestream.yml")
  }

  /// The file of the store.
  var store: URL {
    tool.folder.appendingPathComponent("home/.local/share/snip/snippets.sqlite")
  }

  /// Starts to replicate.
  func start() throws -> SnipProcess {
    try tool.start(server: "litestream", ["replicate", "-config", "litestream.yml"])
  }

  /// Runs a command of Litestream on the store, to its end.
  func litestream(_ command: String, _ arguments: [String] = []) async throws -> SnipOutput {
    let arguments = [command, "-config", "litestream.yml"] + arguments + [store.path]
    return try await tool.start(program: "litestream", arguments).output()
  }

  /// Waits until the replica has the store as a whole.
  func untilThereIsOne() async throws {
    try await until("a snapshot in the replica", within: .seconds(300)) {
      // The level of snapshots; the first line is the heading.
      try await litestream("ltx", ["-level", "9"]).lines.count > 1
    }
  }

  /// Restores the replica into a file, by default to where the store was; as it is now, unless
  /// options say otherwise.
  func restore(to file: String? = nil, _ options: [String] = []) async throws -> SnipOutput {
    let place = file.map { ["-o", $0] } ?? []
    return try await litestream("restore", place + ["-integrity-check", "full"] + options)
  }
}
