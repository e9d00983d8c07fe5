import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

struct GarbageCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "gc",
    abstract: "Remove orphaned content, and return free room to the file system.",
    usage: "snip gc [options]",
    discussion: """
      Deleting removes all that belongs to a snippet at once; this finds what a crash or another \
      program left, and unfinished copies beside the store. The room that deletions have freed goes \
      back to the file system. \
      Others can read and write while it runs; Ctrl-C ends it, and nothing is lost.

      Examples:
        snip gc
        snip gc --json | jq .freedBytes
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let bar = ProgressBar(title: "Giving back", on: context.console.messages)
    defer { bar.finish() }
    let report = try await context.cancellable {
      try await store.collectGarbage(onProgress: bar.update)
    }
    bar.finish()
    if output.isJSON {
      try context.console.output.writeLine(report.json)
    } else {
      for line in report.lines { try context.console.output.writeLine(line) }
    }
    if let folder = report.unlistedFolder { throw UnlistedFolderError(folder: folder) }
  }
}

/// The folder of the store could not be searched for unfinished copies.
struct UnlistedFolderError: StatusError {
  let folder: URL

  var status: ExitStatus { .failure }
  var message: String {
    """
    could not look for unfinished copies, which may hold deleted content, in \(folder.path): the \
    folder cannot be listed
    """
  }
  var hint: String? { "Everything else was done. Allow the folder to be read, then run it again." }
}

extension GarbageReport {
  fileprivate var counts: [(name: String, count: Int)] {
    [
      ("blob", blobCount), ("chunk", chunkCount), ("text", textCount), ("tag", tagCount),
      ("origin", originCount), ("derivative", derivativeCount),
    ]
  }

  fileprivate var json: JSONObject {
    var object = JSONObject()
    for (name, count) in counts { object[name + "s"] = JSONValue(count) }
    object["syncRows"] = JSONValue(syncRowCount)
    object["copies"] = JSONValue(copyCount)
    object["folderListed"] = .bool(unlistedFolder == nil)
    object["freedBytes"] = .integer(freedByteCount)
    object["longestStep"] = .number(longestStep / .seconds(1))
    return object
  }

  fileprivate var lines: [String] {
    var found = counts.filter { $0.count > 0 }.map { $0.count.counted($0.name) }
    if syncRowCount > 0 { found.append(syncRowCount.counted("row") + " of a synchronization") }
    if copyCount > 0 {
      found.append(copyCount == 1 ? "1 unfinished copy" : "\(copyCount) unfinished copies")
    }
    return [
      isClean
        ? "nothing was left behind\(unlistedFolder == nil ? "" : " in the file")"
        : "removed leftovers: \(found.joined(separator: ", "))",
      "\(ByteCountText(freedByteCount)) went back to the file system",
    ]
  }
}
