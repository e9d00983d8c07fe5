import Foundation
import SnipBrowser
import SnipCore
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DoctorCommandTests {
  @Test func `what is there is named, and what is missing with what to do`() async throws {
    let snip = try SnipTool()

    let output = try await snip("doctor")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(output.lines[0].hasPrefix("store      \(snip.store.path)"))
    #expect(output.text.contains("\nsqlite     3."))
    for type in MediaSupport.current.undecodableTypes where MediaSupport.current.decodesImages {
      #expect(output.text.contains("not \(type.name): "), "\(type)")
    }
    #expect(output.text.contains("terminal   none here"))
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test(.enabled(if: MediaSupport.current.decodesRecordings))
  func `decoding goes on without the filter of system calls, and what to install is told`()
    async throws
  {
    let snip = try SnipTool()
    // What is found first, and is no library.
    try snip.write(Data("none".utf8), "libraries/libseccomp.so.2")
    let place = snip.folder.appendingPathComponent("libraries").path

    let output = try await snip.with(["LD_LIBRARY_PATH": place])("doctor")
    let json = try await snip.with(["LD_LIBRARY_PATH": place])("doctor", "--json")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(output.text.contains("\ndecoding   in processes of its own, which may open no files\n"))
    #if os(Linux)
    #expect(output.text.contains("without a filter of system calls: install libseccomp2"))
    #endif
    #expect(try json.json().first?["filtersSystemCalls"] == false, "\(json)")
    #expect(try json.json().first?["decodesApart"] == true, "\(json)")
  }

  @Test func `a store that cannot be written is told`() async throws {
    let snip = try SnipTool()
    try snip.write(Data("none".utf8), "file")

    let blocked = try await snip.with(["SNIP_STORE": "file/notes/s.sqlite"])("doctor")
    let missing = try await snip.with(["SNIP_STORE": "new/notes/s.sqlite"])("doctor", "--json")

    #expect(blocked.status == 1, "\(blocked)")
    #expect(blocked.standardError.contains("the store cannot be written:"), "\(blocked)")
    #expect(blocked.standardError.contains("Not a directory"), "\(blocked)")
    #expect(missing.status == 0, "\(missing)")
    #expect(try missing.json().first?["canWrite"] == true)
  }

  @Test func `without libarchive doctor and import say what to install`() async throws {
    let snip = try SnipTool()
    // The loader finds this file first, and it is no library.
    try snip.write(Data("none".utf8), "libraries/libarchive.so.13")
    try snip.write(Data([0x50, 0x4B, 3, 4]) + Data(count: 30), "notes.zip")
    let place = snip.folder.appendingPathComponent("libraries").path
    let broken = snip.with(["LD_LIBRARY_PATH": place])

    let doctor = try await broken("doctor")
    let json = try await broken("doctor", "--json")
    let imported = try await broken("import", "notes.zip")

    #expect(doctor.text.contains("import unpacks no archives: libarchive is missing"))
    #expect(try json.json().first?["libarchiveVersion"] == .null)
    #expect(imported.status == 1, "\(imported)")
    #expect(imported.standardError.contains("apt install libarchive13"), "\(imported)")
  }

  @Test(.enabled(if: MediaSupport.current.decodesImages))
  func `without libchafa a picture is described, and doctor and show say what to install`()
    async throws
  {
    let snip = try SnipTool()
    // The loader finds this file first, and it is no library.
    try snip.write(Data("none".utf8), "libraries/libchafa.so.0")
    let place = snip.folder.appendingPathComponent("libraries").path
    let broken = snip.with(["LD_LIBRARY_PATH": place])
    #expect(try await snip("demo").status == 0)
    let id = try await snip("list", "kind:image", "--json").json()[0]["id"]?.integer ?? 0

    let doctor = try await broken("doctor")
    let json = try await broken("doctor", "--json")
    let shown = try await broken("show", "\(id)", "--pixels", "symbols")

    #expect(
      doctor.text.contains("\ndrawing    pictures are not drawn: libchafa is not installed\n")
    )
    #expect(doctor.text.contains("install libchafa0"))
    #expect(try json.json().first?["libchafaVersion"] == .null)
    #expect(shown.status == 0, "\(shown)")
    #expect(shown.text.contains("Not drawn: libchafa is not installed; install libchafa0"))
  }

  @Test(
    arguments: [
      (.on, nil), (.libraryMissing, "install libseccomp2"), (.unsupported, "on Linux only"),
      (.refused(reason: "Invalid argument"), "(Invalid argument): a container may have to allow"),
    ] as [(SystemCallFilter, String?)]
  )
  func `why there is no filter is told with what to do`(filter: SystemCallFilter, words: String?) {
    let remedy = DecoderAdvice().remedy(for: filter)

    #expect((remedy == nil) == (words == nil))
    #expect(remedy?.contains(words ?? "") != false)
  }

  @Test(
    .enabled(if: MediaSupport.current.decodesRecordings && MediaSupport.current.decodesImages),
    arguments: [
      ("libvips.so.42", "images", "libvips is not installed", ["PNG", "HEIC"]),
      (
        "libavformat.so.\(MediaSupport.current.libavformatNumber ?? 0)", "recordings",
        "libav is not installed, of the number that snip was built for (libavformat.so.", ["M4A"]
      ),
    ]
  )
  func `a library that is not installed is told from one that was not built in`(
    library: String,
    name: String,
    words: String,
    types: [String]
  ) async throws {
    let snip = try SnipTool()
    try snip.write(Data("none".utf8), "libraries/\(library)")
    let place = snip.folder.appendingPathComponent("libraries").path

    let output = try await snip.with(["LD_LIBRARY_PATH": place])("doctor")
    let json = try await snip.with(["LD_LIBRARY_PATH": place])("doctor", "--json")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let line = output.lines.firstIndex { $0.hasPrefix(name) }
    let first = try #require(line)
    #expect(output.lines[first].contains("not decoded: \(words)"), "\(output)")
    #expect(output.lines[first + 1].contains("install "), "\(output)")
    #expect(!output.text.contains("built without"), "\(output)")
    for type in types { #expect(!output.text.contains(type), "\(output)") }
    // What is there goes on working, in processes of its own.
    #expect(try json.json().first?["decodesApart"] == true, "\(json)")
  }

  @Test func `on a terminal its width is told`() async throws {
    let output = try await SnipTool().onTerminal("doctor")

    #expect(output.text.contains("columns, with colour"), "\(output)")
  }

  @Test func `the worker alone does nothing for anybody else`() async throws {
    let snip = try SnipTool()

    let output = try await snip("decode-media", input: Data("hello".utf8))

    #expect(output.status == 0 && output.bytes.isEmpty && output.standardError.isEmpty)
  }
}
