import Foundation
import SnippetTestSupport
import Testing

/// The fields of every kind of JSON and their types: some may be added, none renamed or removed.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct JSONContractTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  private static let row: [String: String] = [
    "id": "integer", "uuid": "string", "kind": "string", "title": "string", "preview": "string",
    "createdAt": "string", "modifiedAt": "string", "byteCount": "integer", "tags": "[string]",
    "pinned": "bool", "mediaType": "string", "revision": "integer",
  ]
  private static let image = row.adding(["pixelWidth": "integer", "pixelHeight": "integer"])
  private static let voice = row.adding([
    "duration": "number", "sampleRate": "integer", "channelCount": "integer", "tags": "[]",
  ])
  private static let check = [
    "sound": "bool", "snippets": "integer", "trash": "integer", "derivatives": "integer",
    "blobs": "integer", "blobBytes": "integer", "problems": "[]", "notes": "[]",
  ]
  private static let scroll = [
    "rows": "integer", "viewport": "integer", "seed": "string",
    "frames": "integer", "rowsRead": "integer", "rowReads": "integer",
    "rowReadsAhead": "integer", "loadsDelayed": "integer", "cacheEvictions": "integer",
    "hits": "integer", "misses": "integer",
    "loads": "integer", "loadsFinished": "integer", "loadsFailed": "integer",
    "cancelled": "integer", "delivered": "integer", "staleDropped": "integer",
    "wrongDeliveries": "integer", "unresolved": "integer", "cellsCreated": "integer",
    "cellsReused": "integer", "bytesLoaded": "integer", "cacheBytes": "integer",
    "stepMedianMicroseconds": "number", "stepP99Microseconds": "number",
    "stepMaximumMicroseconds": "number", "peakMemoryBytes": "integer",
    "memoryBeforeBytes": "integer", "memoryLimitBytes": "integer",
  ]
  private static let counts = [
    "imported": "integer", "updated": "integer", "moved": "integer", "trashed": "integer",
    "movedFolders": "integer", "broughtBack": "integer", "unreadFrontMatter": "integer",
    "missing": "integer", "conflicts": "integer", "unchanged": "integer",
    "duplicates": "integer", "unsupported": "integer", "failed": "integer", "bytes": "integer",
    "leftOut": "integer", "unreadValue": "integer", "replacedValue": "integer",
  ]
  private static let file = [
    "file": "string", "outcome": "string", "id": "integer", "byteCount": "integer",
  ]

  private static let exported = [
    "id": "integer", "outcome": "string", "file": "string", "byteCount": "integer",
  ]

  private static let share = "{bytes: integer, snippets: integer}"

  /// Joins a repository, with the key beside it; the last word begins the next command.
  private static let joining = """
    --version >/dev/null; export XDG_DATA_HOME="$PWD/data"; \
    snip sync join meeting --name laptop >/dev/null 2>&1; snip
    """
  private static let joined = "\(joining) sync"

  /// Begins a command for which another program does nothing, well.
  private static func with(_ program: String) -> String {
    """
    --version >/dev/null; printf '#!/bin/sh\\n' >\(program); chmod +x \(program); \
    PATH="$PWD:$PATH" snip
    """
  }

  /// A command, and the fields of each line that it prints.
  private static let contracts: [(String, [[String: String]])] = [
    ("add --text Milk --tag x", [row]),
    ("add --text Milk --once", [row.adding(["tags": "[]", "new": "bool", "trashed": "[]"])]),
    ("\(with("xdg-open")) open 2", [image]),
    ("\(with("mpv")) play 3", [voice]),
    ("capture --discard", [["discarded": "integer"]]),
    ("list", [row.adding(["tags": "[]"]), row, voice, image, row]),
    ("search harbour", [image]),
    ("show 1", [row.adding(["text": "string"])]),
    ("show 2", [image]),
    ("show 3", [voice]),
    ("edit 3 --note Words >/dev/null; snip show 3", [voice.adding(["note": "string"])]),
    ("tag", [["tag": "string", "snippets": "integer"]]),
    ("tag 1 new", [row]),
    ("edit 1 --title Milk", [row]),
    ("rm 1", [["deleted": "[integer]", "permanently": "bool"]]),
    ("rm 5 2>/dev/null; snip undelete 5", [["undeleted": "[integer]"]]),
    ("rm 5 2>/dev/null; snip list --trash", [row.adding(["deletedAt": "string", "tags": "[]"])]),
    (
      "purge",
      [
        [
          "deleted": "integer", "complete": "bool", "remainingLogBytes": "integer",
          "remainingCopies": "integer", "folderListed": "bool", "keptTexts": "integer",
        ]
      ]
    ),
    (
      "gc",
      [
        [
          "blobs": "integer", "chunks": "integer", "texts": "integer", "tags": "integer",
          "origins": "integer", "derivatives": "integer", "freedBytes": "integer",
          "longestStep": "number", "syncRows": "integer", "copies": "integer",
          "folderListed": "bool",
        ]
      ]
    ),
    (
      "info",
      [
        [
          "store": "string", "schemaVersion": "integer", "snippets": "integer",
          "kinds": "{image: integer, text: integer, voice: integer}", "trash": "integer",
          "tags": "integer",
          "blobs": "integer", "blobBytes": "integer", "captures": "integer",
          "fileBytes": "integer",
          "logBytes": "integer", "freeBytes": "integer", "sqliteVersion": "string",
          "sqliteHasLogResetBug": "bool", "sharedBy": "null",
          "storageUse": """
          {derivatives: integer, file: integer, free: integer, indexes: integer, \
          kinds: {image: \(share), text: \(share), voice: \(share)}, log: integer, \
          measured: bool, months: [{bytes: integer, month: string, snippets: integer}], \
          originals: integer, rows: integer, searchIndex: integer, shared: integer, \
          tags: [{bytes: integer, snippets: integer, tag: string}], texts: integer, \
          trash: \(share)}
          """,
        ]
      ]
    ),
    (
      "doctor",
      [
        [
          "store": "string", "sqliteVersion": "string", "sqliteHasLogResetBug": "bool",
          "sharedBy": "null", "canWrite": "bool",
          "libvipsVersion": "string", "libavVersion": "string", "libchafaVersion": "string",
          "libcurlVersion": "string", "libarchiveVersion": "string",
          "decodes": "[string]",
          "cannotDecode": "[string]", "decodesApart": "bool", "filtersSystemCalls": "bool",
          "terminal": "bool", "color": "bool", "pixels": "string",
        ]
      ]
    ),
    (
      "derive",
      [["made": "integer", "kept": "integer", "withoutDecoder": "integer", "failed": "integer"]]
    ),
    ("derive --drop", [["dropped": "integer"]]),
    ("check", [check]),
    ("backup copy.sqlite", [check.adding(["file": "string"])]),
    (
      "export out --tag holiday",
      [
        exported,
        [
          "exported": "integer", "updated": "integer", "unchanged": "integer",
          "conflicts": "integer", "failed": "integer", "missing": "integer",
          "trashed": "integer", "incomplete": "integer", "leftOut": "integer",
          "bytes": "integer",
        ],
      ]
    ),
    ("restore backup.sqlite", [check.adding(["store": "string"])]),
    ("scroll --frames 3", [scroll]),
    (
      "demo",
      [
        [
          "store": "string", "imported": "integer", "duplicates": "integer",
          "snippets": "integer", "scroll": "{",
        ]
      ]
    ),
    (
      joined,
      [
        [
          "received": "integer", "removed": "integer", "sent": "integer",
          "receivedBlobs": "integer", "receivedBytes": "integer", "sentBlobs": "integer",
          "sentBytes": "integer", "conflicts": "integer", "revived": "integer",
          "folded": "integer", "refused": "integer", "held": "integer", "unreadBlobs": "integer",
          "waiting": "integer",
        ]
      ]
    ),
    (
      "\(joined) status",
      [
        [
          "address": "string", "repository": "string", "device": "string", "unsent": "integer",
          "unsentFiles": "integer", "unsentBlobs": "integer", "waiting": "integer",
          "restored": "bool", "synchronizedAt": "string",
        ]
      ]
    ),
    (
      "\(joined) devices",
      [["name": "string", "own": "bool", "received": "integer", "sentAt": "string"]]
    ),
    (
      "\(joined) check",
      [
        [
          "intact": "bool", "devices": "integer", "logs": "integer", "blobs": "integer",
          "bytes": "integer", "unread": "integer", "mended": "integer", "lost": "integer",
          "faults": "[]",
        ]
      ]
    ),
    (
      "\(joined) check --read",
      [
        [
          "intact": "bool", "devices": "integer", "logs": "integer", "blobs": "integer",
          "bytes": "integer", "unread": "integer", "mended": "integer", "lost": "integer",
          "faults": "[]",
          "entries": "integer",
        ]
      ]
    ),
    ("\(joined) key", [["key": "string"]]),
    (
      "\(joined) leave",
      [["address": "string", "told": "bool", "unsent": "integer", "forgotten": "bool"]]
    ),
    ("\(joined) leave >/dev/null 2>&1; snip sync leave --forget", [["forgotten": "bool"]]),
    (
      "\(joining) purge",
      [
        [
          "deleted": "integer", "complete": "bool", "remainingLogBytes": "integer",
          "remainingCopies": "integer", "folderListed": "bool", "keptTexts": "integer",
          "inRepository": "integer",
        ]
      ]
    ),
    (
      "import files",
      [["file": "string", "outcome": "string", "reason": "string"], file, file, counts]
    ),
  ]

  @Test(arguments: contracts)
  func `each line has these fields and no others`(
    command: String,
    contract: [[String: String]]
  ) async throws {
    try snip.write(Data("new".utf8), "files/b-new.txt")
    try snip.write(Data("new".utf8), "files/c-again.txt")
    try snip.write(Data("%PDF-1".utf8), "files/a-paper.txt")
    if command.hasPrefix("restore") { _ = try await snip("backup", "backup.sqlite") }

    let output = try await snip.shell("snip \(command) --json")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let lines = try output.json()
    #expect(zip(lines, contract).map { $0.types(as: $1) } == contract, "\(output)")
  }

  @Test func `a failure prints no data`() async throws {
    for command in ["show 99", "list --store .", "cat 99 -o x", "edit 99 --pin", "restore x"] {
      let output = try await snip.shell(
        "snip \(command)\(command.contains("cat") ? "" : " --json")"
      )
      #expect(output.status != 0 && output.bytes.isEmpty, "\(output)")
    }
  }

  @Test func `dates and identities have one form`() async throws {
    let row = try #require(try await snip("show", "2", "--json").json().first)

    #expect(row["createdAt"] == "2026-01-02T00:00:00.000Z")
    #expect(
      try #require(row["modifiedAt"]?.string).wholeMatch(
        of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
      ) != nil
    )
    #expect(
      try #require(row["uuid"]?.string)
        .wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil
    )
  }

  @Test func `every text comes out as it went in`() async throws {
    let text = Hostile.texts.joined(separator: "\n\t\"\\/ ")

    _ = try await snip("add", "--text", text)
    let output = try await snip("show", "6", "--json")

    #expect(try output.json("text") == [.string(text)])
  }
}

extension [String: String] {
  fileprivate func adding(_ more: [String: String]) -> [String: String] {
    merging(more) { $1 }
  }
}

extension ParsedJSON {
  /// The types of the fields; one that meets its contract in other words is given in those.
  fileprivate func types(as contract: [String: String]) -> [String: String] {
    guard case .object(let fields) = self else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: fields.map { name, value in
        switch contract[name] {
        case "number" where value.shape == "integer": (name, "number")
        case "{" where value.shape.hasPrefix("{"): (name, "{")
        case "[string]" where value.shape == "[]", "[]" where value.shape == "[string]":
          (name, contract[name] ?? "")
        default: (name, value.shape)
        }
      }
    )
  }
}
