import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CatCommandTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test(arguments: 1...5)
  func `every byte goes into a pipe and into a file`(number: Int) async throws {
    let bytes = SampleLibrary.contents[number - 1]

    #expect(try await snip("cat", "\(number)") == SnipOutput(bytes: bytes))
    #expect(try await snip("cat", "\(number)", "-o", "copy") == SnipOutput())
    #expect(try Data(contentsOf: TemporaryDirectory.file("copy")) == bytes)
  }

  @Test func `a hyphen in place of a file is standard output`() async throws {
    let output = try await snip("cat", "2", "--output", "-")

    #expect(output == SnipOutput(bytes: SampleLibrary.contents[1]))
    #expect(try files().isEmpty)
  }

  @Test func `an empty path for the output is a mistake in the command`() async throws {
    let output = try await snip("cat", "1", "-o", "")

    #expect(output.status == 64, "\(output)")
    #expect(output.standardError.hasPrefix("snip: the path is empty\n"), "\(output)")
  }

  @Test func `a range gives these bytes only`() async throws {
    for (range, places) in [
      ("0-0", 0..<1), ("0-9", 0..<10), ("5-", 5..<34), ("-4", 30..<34), ("33-33", 33..<34),
      ("0-9223372036854775807", 0..<34), ("-1000", 0..<34), ("30-99", 30..<34),
    ] {
      let bytes = Data(SampleLibrary.shopping.utf8)[places]
      let file = "part \(range)"

      #expect(try await snip("cat", "1", "--range", range) == SnipOutput(bytes: bytes), "\(range)")
      #expect(try await snip("cat", "1", "--range", range, "-o", file) == SnipOutput(), "\(range)")
      #expect(try Data(contentsOf: TemporaryDirectory.file(file)) == bytes, "\(range)")
    }
  }

  @Test func `a range inside a blob crosses its chunks`() async throws {
    let store = try TemporaryStore.open("blobs.sqlite")
    let bytes = Samples.bytes(700_000)
    try await store.save(Samples.image(bytes))
    try await store.close()

    let output = try await snip("cat", "1", "--range", "262000-524400", "--store", "blobs.sqlite")

    #expect(output == SnipOutput(bytes: bytes[262_000...524_400]))
  }

  @Test func `a range that is none is refused`() async throws {
    for (range, status) in [
      ("34-", 65), ("50-60", 65), ("3-1", 64), ("-", 64), ("-0", 64), ("abc", 64), ("1-2-3", 64),
      ("99999999999999999999-", 64), ("", 64), ("+1-2", 64),
    ] as [(String, Int32)] {
      let output = try await snip("cat", "1", "--range=\(range)", "-o", "part")

      #expect(output.status == status && output.bytes.isEmpty, "\(range): \(output)")
      #expect(!output.standardError.isEmpty, "\(range)")
      #expect(try files().isEmpty, "\(range)")
    }
  }

  @Test func `a file takes its place complete or not at all, and keeps its mode`() async throws {
    try snip.write(Data("old".utf8), "copy.png")
    let file = TemporaryDirectory.file("copy.png").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let before = try FileManager.default.attributesOfItem(atPath: file)

    #expect(try await snip("cat", "99", "-o", "copy.png").status == 2)
    #expect(try Data(contentsOf: TemporaryDirectory.file("copy.png")) == Data("old".utf8))
    #expect(try await snip("cat", "2", "-o", "copy.png") == SnipOutput())

    let after = try FileManager.default.attributesOfItem(atPath: file)
    #expect(try Data(contentsOf: TemporaryDirectory.file("copy.png")) == SampleLibrary.picture)
    #expect(before[.systemFileNumber] as? UInt64 != after[.systemFileNumber] as? UInt64)
    #expect(after[.posixPermissions] as? Int == 0o640)
    #expect(try files() == ["copy.png"])
  }

  @Test func `a link is followed, and stays one`() async throws {
    try snip.write(Data("old".utf8), "target/copy.png")
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryDirectory.file("link.png").path,
      withDestinationPath: "target/copy.png"
    )

    #expect(try await snip("cat", "2", "-o", "link.png") == SnipOutput())

    #expect(
      try Data(contentsOf: TemporaryDirectory.file("target/copy.png")) == SampleLibrary.picture
    )
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: TemporaryDirectory.file("link.png").path
      ) == "target/copy.png"
    )
  }

  @Test func `a link to what is not there yet makes it there, as the shell does`() async throws {
    let path = TemporaryDirectory.file("link.png").path
    func link(to target: String) throws {
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
    // By its letters, the target would be in this folder.
    try FileManager.default.createDirectory(
      at: TemporaryDirectory.file("elsewhere/inner"),
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryDirectory.file("inner").path,
      withDestinationPath: "elsewhere/inner"
    )
    try link(to: "inner/../new.png")

    #expect(try await snip("cat", "2", "-o", "link.png") == SnipOutput())

    let made = TemporaryDirectory.file("elsewhere/new.png")
    #expect(try Data(contentsOf: made) == SampleLibrary.picture)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: path) == "inner/../new.png"
    )
    for (target, status) in [("missing/new.png", 73), ("link.png", 66)] as [(String, Int32)] {
      try link(to: target)
      let refused = try await snip("cat", "2", "-o", "link.png")
      #expect(refused.status == status, "\(refused)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
  }

  @Test func `a pipe is written to and never replaced, as is a device`() async throws {
    let output = try await snip.shell(
      """
      mkfifo pipe && { timeout 120 cat pipe > copy.png & } && snip cat 2 -o pipe && wait \
        && test -p pipe
      """
    )

    #expect(output == SnipOutput())
    #expect(try Data(contentsOf: TemporaryDirectory.file("copy.png")) == SampleLibrary.picture)
  }

  @Test func `a link to an open pipe without a name is written through`() async throws {
    let output = try await snip.shell("snip cat 2 -o /dev/stdout | cat > copy.png")

    #expect(output == SnipOutput())
    #expect(try Data(contentsOf: TemporaryDirectory.file("copy.png")) == SampleLibrary.picture)
  }

  // The shell has opened the file, and others write to it too.
  @Test(arguments: [
    "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link",
  ])
  func `a file that the shell has opened is written through, not replaced`(
    path: String
  ) async throws {
    let text = SampleLibrary.shopping

    let output = try await snip.shell(
      """
      ln -s /dev/stdout link && echo old > file &&
        { echo a; snip cat 1 -o \(path); echo b; } >> file && snip cat 1 -o /dev/fd/7 7> other
      """
    )

    #expect(output == SnipOutput())
    let file = try String(contentsOf: TemporaryDirectory.file("file"), encoding: .utf8)
    #expect(file == "old\na\n\(text)b\n")
    #expect(try String(contentsOf: TemporaryDirectory.file("other"), encoding: .utf8) == text)
  }

  @Test(arguments: ["missing/copy.png", "home"])
  func `a file that cannot be made is reported`(path: String) async throws {
    let output = try await snip("cat", "2", "-o", path)

    #expect(output.status == 73 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.hasPrefix("snip: could not write "), "\(output)")
    #expect(try files().isEmpty)
  }

  @Test func `a terminal gets texts made visible, and nothing else`() async throws {
    let text = try await snip.onTerminal("cat", "1")
    let older = try await snip.onTerminal("cat", "5")
    let picture = try await snip.onTerminal("cat", "2")

    #expect(text == SnipOutput(SampleLibrary.shopping))
    #expect(older == SnipOutput("Grüße aus Köln über die Autobahn nach München\n"))
    #expect(picture.status == 64, "\(picture)")
    #expect(picture.text.contains("-o FILE"), "\(picture)")
  }

  @Test(
    .seeded,
    arguments: [
      (String.Encoding.utf8, TextEncoding.utf8), (.utf16LittleEndian, .utf16LittleEndian),
      (.utf32BigEndian, .utf32BigEndian),
    ]
  )
  func `a terminal gets a text of many pieces as it would get it whole`(
    encoding: String.Encoding,
    expected: TextEncoding
  ) async throws {
    var texts = TroublesomeTexts()
    var text = "Two paragraphs of plain words, so that it is told for a text.\n\n"
    // Past the ends of several pieces, whatever the number of bytes of a character.
    while text.utf8.count < 400_000 { text += "word " + texts.next() }
    // What no text has.
    text.unicodeScalars.removeAll { $0.properties.generalCategory == .control && $0 != "\n" }
    text.unicodeScalars.removeAll { $0 == "\u{FEFF}" || $0 == "\u{FFFF}" }
    let bytes = try #require("\u{FEFF}\(text)".data(using: encoding))
    let store = try TemporaryStore.open("large.sqlite")
    let row = try await store.save(SnippetDraft(.bytes(bytes)))
    let isText = row.kind == .text
    let encodingToldByStore = TextEncoding.recognized(in: bytes)
    try await store.close()
    try #require(isText && encodingToldByStore == expected)

    let shown = try await snip.onTerminal("cat", "1", "--store", "large.sqlite")
    let range = try await snip.onTerminal("cat", "1", "--range", "1-", "--store", "large.sqlite")

    #expect(shown == SnipOutput(ended(TerminalText(text, lines: .kept))))
    #expect(range == SnipOutput(ended(TerminalText(bytes: bytes.dropFirst(), lines: .kept))))
  }

  // Of each the last byte, so that all pieces but the last are right.
  @Test func `wrong bytes end it with the number of those that were written`() async throws {
    let store = "damaged.sqlite"
    let recording = try await makeDamaged(store)

    let short = try await snip("cat", "1", "--store", store)
    let long = try await snip("cat", "2", "--store", store)
    let part = try await snip("cat", "2", "--range", "2-9", "--store", store)
    let inFile = try await snip("cat", "2", "-o", "copy", "--store", store)
    let shown = try await snip.onTerminal("cat", "3", "--store", store)

    let hint = """
      hint: It was left as it is. Run a check; if it confirms the damage, restore a backup.
      hint: `snip check` tells what is damaged, and `snip check --repair` mends what it can. \
      `snip salvage FILE` copies a store that they cannot open into a new one.

      """
    func error(_ number: Int, _ written: String) -> String {
      """
      snip: could not read the content of snippet \(number): the file looks damaged (the bytes of \
      blob \(number) do not match its hash); \(written)
      \(hint)
      """
    }
    #expect(short == SnipOutput(error: error(1, "nothing of it was written"), status: 65))
    #expect(
      long
        == SnipOutput(
          bytes: recording.prefix(2 << 20),
          error: error(
            2,
            "2097152 bytes of it, which may be wrong, were written to standard output before"
          ),
          status: 65
        )
    )
    #expect(part == SnipOutput(bytes: recording[2...9]))
    #expect(inFile == SnipOutput(error: error(2, "nothing of it was written"), status: 65))
    #expect(try files().allSatisfy { $0.hasPrefix(store) })
    #expect(shown.status == 65, "\(shown)")
  }

  @Test func `wrong bytes of a text are noticed when it is shown or exported`() async throws {
    let store = "damaged.sqlite"
    _ = try await makeDamaged(store)

    let shown = try await snip("show", "3", "--store", store)
    let json = try await snip("show", "3", "--json", "--store", store)
    let export = try await snip("export", "folder", "--store", store)

    for output in [shown, json] {
      #expect(output.status == 65, "\(output)")
      #expect(
        output.standardError.contains("blob 3 do not match its hash); the part that was shown"),
        "\(output)"
      )
    }
    #expect(export.status == 1 && export.standardError.contains("3 of the snippets"), "\(export)")
    for folder in ["texts", "images", "recordings"] {
      let path = TemporaryDirectory.file("folder/\(folder)").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }
  }

  /// Makes a store of an image, a recording and a text with a wrong byte each.
  ///
  /// - Returns: The bytes of the recording before.
  private func makeDamaged(_ name: String) async throws -> Data {
    let file = TemporaryDirectory.file(name)
    let store = try SnippetStore(at: file)
    let recording = Samples.bytes(2_500_000)
    let text = Samples.longText()
    try await store.save(Samples.image(Samples.bytes(700_000)))
    try await store.save(Samples.voice(recording))
    try await store.save(SnippetDraft(.text(text)))
    try await store.close()
    let counts = [700_000, recording.count, text.utf8.count]
    let edits = counts.enumerated().map { number, count in
      FlippedByte.sql(at: count - 1, ofBlob: Int64(number) + 1)
    }
    let output = try await Shell.sqlite3(
      file,
      "DROP TRIGGER blob_chunk_on_update; \(edits.joined(separator: "; "))"
    )
    try #require(output == Shell.Output(standardOutput: ""))
    return recording
  }

  private func ended(_ text: TerminalText) -> String {
    text.description.unicodeScalars.last == "\n" ? text.description : text.description + "\n"
  }

  /// What the command left in its folder.
  private func files() throws -> [String] {
    let known: Set<String> = [
      "home", "tmp", "store.sqlite", "store.sqlite-wal", "store.sqlite-shm",
    ]
    return try FileManager.default
      .contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
      .filter { !known.contains($0) }
  }
}
