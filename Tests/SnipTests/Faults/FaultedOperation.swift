import Foundation
import SnippetTestSupport
import Testing

/// A run of `snip` on the store of ``FaultFixture``, and what may be left of it when it fails.
struct FaultedOperation: Sendable, CustomTestStringConvertible {
  /// What there may be apart from the state before and the state after.
  enum Parts: Sendable {
    case none
    /// Some of the new snippets: an import keeps what it has reported.
    case someOfTheNew
    /// Some of the trash: a purge deletes it first, and then its traces.
    case someOfTheTrash
  }

  /// The files of the store when it begins; the snippets are always the same.
  enum Start: Sendable {
    /// Those of a store that was closed.
    case closed
    /// Those of a program that was killed: most is in the log.
    case withLog
    /// Those of the version before this one.
    case ofFormerVersion
  }

  var name: String
  var arguments: [String]
  var input = Data()
  var parts = Parts.none
  /// Whether standard output tells the numbers of new snippets.
  var tellsNumbers = false
  /// Whether standard output is all that it is for.
  var onlyReads = false
  var start = Start.closed
  /// The file or folder that it makes.
  var target: String?
  /// Where it has to be looked at closely: some of these plans are tried each time.
  var decisivePlans: [FaultPlan] = []

  var testDescription: String { name }

  static let all = [
    Self(name: "add", arguments: ["add", "--text", "Fresh", "--tag", "new"], tellsNumbers: true),
    Self(name: "add an image", arguments: ["add", "--image", "files/d.png"], tellsNumbers: true),
    Self(
      name: "add a recording",
      arguments: ["add", "--voice", "files/c.wav"],
      tellsNumbers: true
    ),
    Self(name: "edit", arguments: ["edit", "1", "--title", "Edited", "--text", "Other words"]),
    Self(name: "tag", arguments: ["tag", "1", "kitchen", "--remove", "shopping"]),
    Self(name: "rename a tag", arguments: ["tag", "--rename", "shopping", "errands"]),
    Self(name: "rm", arguments: ["rm", "4"]),
    Self(name: "rm for good", arguments: ["rm", "5", "--permanently", "--yes"]),
    Self(name: "undelete", arguments: ["undelete", "5"]),
    Self(name: "purge", arguments: ["purge"], parts: .someOfTheTrash),
    Self(
      name: "import",
      arguments: ["import", "files", "--json"],
      parts: .someOfTheNew,
      tellsNumbers: true
    ),
    Self(name: "backup", arguments: ["backup", "copy.sqlite"], target: "copy.sqlite"),
    Self(
      name: "restore",
      arguments: ["restore", "backup.sqlite"],
      // Whether the store can be opened, and what is lasting when.
      decisivePlans: (1...24).map {
        FaultPlan(.read, of: "store.sqlite", number: $0, .fail(.inputOutput))
      }
        + (1...4).flatMap { number in
          [FaultPlan.Action.kill, .fail(.inputOutput)].map {
            FaultPlan(.sync, number: number, $0)
          }
        }
    ),
    Self(name: "export", arguments: ["export", "out"], target: "out"),
    Self(name: "export notes", arguments: ["export", "notes", "--markdown"], target: "notes"),
    Self(name: "salvage", arguments: ["salvage", "salvaged.sqlite"], target: "salvaged.sqlite"),
    Self(name: "migrate", arguments: ["rm", "4"], start: .ofFormerVersion),
    Self(
      name: "checkpoint",
      arguments: ["rm", "4"],
      start: .withLog,
      // A commit that failed stands in the log, and is there when the store is opened again.
      decisivePlans: [FaultPlan(.sync, number: 1, isForGood: true, .fail(.inputOutput))]
    ),
    Self(name: "gc", arguments: ["gc"]),
    Self(
      name: "capture",
      arguments: ["capture", "--kind", "text", "--title", "Captured"],
      input: Data(Samples.longText("b").utf8),
      tellsNumbers: true
    ),
    Self(name: "list", arguments: ["list", "--json"], onlyReads: true),
    Self(
      name: "search",
      arguments: ["search", "idden"],
      onlyReads: true,
      // While it goes on after its first results.
      decisivePlans: [105, 113].map {
        FaultPlan(.read, number: $0, isForGood: true, .fail(.inputOutput))
      }
    ),
    Self(name: "cat", arguments: ["cat", "3"], onlyReads: true),
  ]

  /// The operation of that name, which there must be.
  static func named(_ name: String) throws -> Self { try #require(all.first { $0.name == name }) }
}
