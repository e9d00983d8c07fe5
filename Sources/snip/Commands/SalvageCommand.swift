import ArgumentParser
import Foundation
import SnipCore
import SnippetRescue
import SnippetStorage
import TerminalKit

struct SalvageCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Copy everything readable from a damaged store into a new one.",
    usage: "snip salvage <file> [options]",
    discussion: """
      Never touches the damaged file: it works on a copy, which takes as much room beside the new \
      store. Snippets keep their numbers, dates and tags. Each lost or damaged snippet is named, and \
      the command then ends with status 65.

      If there is a backup, restore that instead. `snip check --repair` restores everything that \
      can be computed again.

      Examples:
        snip salvage salvaged.sqlite --store damaged.sqlite
        snip list --store salvaged.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The file of the new store.", valueName: "file"),
    completion: .file()
  )
  var new: String

  func run(in context: CommandContext) async throws {
    let (source, destination) = (try store.location(in: context).url, context.url(new))
    let bar = ProgressBar(title: "Salvaging", on: context.console.messages)
    defer { bar.finish() }
    let report: SalvageReport
    do {
      report = try await context.cancellable {
        try await SnippetStore.salvage(from: source, to: destination, onProgress: bar.update)
      }
    } catch let error as SnippetStoreError where error.code == .alreadyExists {
      throw TakenNameError(message: error.message)
    }
    bar.finish()
    try print(report, to: context.console.output)
    guard report.isComplete else { throw IncompleteSalvageError(report, new: new) }
  }

  private func print(_ report: SalvageReport, to stream: ConsoleStream) throws {
    if output.isJSON {
      try stream.writeLine(report.json(new: new))
      return
    }
    for (word, losses) in [("lost", report.lost), ("damaged", report.damaged)] {
      for loss in losses { try stream.writeLine("\(word): \(loss.sentence)") }
    }
    if !report.unreadableIDs.isEmpty {
      try stream.writeLine(
        "lost: \(report.unreadableNames), as far as there were any: nothing can be read of them"
      )
    }
    try stream.writeLine(
      "\(TerminalText(new)): \(report.snippetCount.counted("snippet")) salvaged"
    )
  }
}

/// The file of the new store is there already.
private struct TakenNameError: StatusError {
  let message: String

  var status: ExitStatus { .cannotCreate }
  var hint: String? { "Choose another name, or remove that file." }
}

extension SalvageReport.Loss {
  /// The fate of each snippet, in one line.
  fileprivate var sentence: String {
    let title = title.map { $0.isEmpty ? "" : " “\(TerminalText($0))”" } ?? ""
    let name = snippetID.map { "snippet \($0)\(title)" } ?? "a snippet\(title)"
    return "\(name): \(TerminalText(description))"
  }

  fileprivate var json: JSONObject {
    [
      "snippet": snippetID.map { .integer($0.rawValue) } ?? .null,
      "title": title.map { .string($0) } ?? .null,
      "problem": .string(description),
    ]
  }
}

extension SalvageReport {
  /// The snippets that cannot be read, in a few words; deleted ones may be among their numbers.
  fileprivate var unreadableNames: String {
    let names = unreadableIDs.prefix(10).map { ids in
      ids.lowerBound == ids.upperBound
        ? "\(ids.lowerBound)" : "\(ids.lowerBound) to \(ids.upperBound)"
    }
    let more = unreadableIDs.count - names.count
    let rest = more > 0 ? " and \(more.counted("more range")), which --json names" : ""
    return "snippets \(names.joined(separator: ", "))\(rest)"
  }

  fileprivate func json(new: String) -> JSONObject {
    [
      "store": .string(new),
      "snippets": JSONValue(snippetCount),
      "lost": .array(lost.map { .object($0.json) }),
      "damaged": .array(damaged.map { .object($0.json) }),
      "unreadableIDs": .array(
        unreadableIDs.map {
          .array([.integer($0.lowerBound.rawValue), .integer($0.upperBound.rawValue)])
        }
      ),
      "unreadableBytes": .integer(unreadableByteCount),
    ]
  }
}

/// Some content could not be copied unchanged.
struct IncompleteSalvageError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .badInput }

  init(_ report: SalvageReport, new: String) {
    var parts: [String] = []
    if !report.lost.isEmpty { parts.append("\(report.lost.count) lost") }
    if !report.damaged.isEmpty { parts.append("\(report.damaged.count) damaged") }
    if !report.unreadableIDs.isEmpty { parts.append("some rows unreadable") }
    if report.unreadableByteCount > 0 {
      parts.append("\(report.unreadableByteCount) bytes of the file unreadable")
    }
    message = "not everything could be salvaged: \(parts.joined(separator: ", "))"
    hint = "The rest is in \(new). The damaged file is as it was: keep it until you miss nothing."
  }
}
