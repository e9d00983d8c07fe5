import ArgumentParser
import Foundation
import SnipBrowser
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetMedia
import SnippetStorage
import SnippetSync
import TerminalKit

struct DoctorCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report what snip can work with, what is missing, and what to install.",
    usage: "snip doctor [options]",
    discussion: """
      Checks the libraries, the decoding processes, the terminal and the folder of the store, which \
      it does not open. Exits with 1 if something that should work does not.

      Examples:
        snip doctor
        snip doctor --json | jq .cannotDecode
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run(in context: CommandContext) async throws {
    let location = try store.location(in: context)
    let support = await OwnThreads.run { MediaSupport.current }
    let (filter, workerError) = await OwnThreads.run { WorkerMedia.examined(with: support) }
    let examination = Examination(
      shared: SharedFolder(holding: location.url),
      flaw: Self.flaw(of: location.url),
      sqlite: try await SnippetStore.inMemory().information(),
      support: support,
      filter: filter,
      workerError: workerError,
      device: context.console.output.device,
      abilities: TerminalAbilities(environment: context.environment)
    )
    let stream = context.console.output
    if output.isJSON {
      try stream.writeLine(examination.json(at: location))
    } else {
      for (name, value) in examination.lines(at: location) {
        try stream.writeLine(value, label: name, labelWidth: 10)
      }
    }
    if let flaw = examination.flaw { throw PlaceFailure(reason: flaw) }
    if let error = examination.workerError { throw WorkerFailure(error: error) }
  }

  /// Returns the reason why a store cannot be written at a place; `nil` if it can, or could be made.
  private static func flaw(of file: URL) -> String? {
    let isThere = access(file.path, F_OK) == 0
    if isThere, access(file.path, R_OK | W_OK) != 0 { return String(cString: strerror(errno)) }
    // Missing folders are made.
    var folder = file.deletingLastPathComponent()
    while access(folder.path, F_OK) != 0, errno == ENOENT, folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    guard access(folder.path + "/.", W_OK | X_OK) != 0 else { return nil }
    return "\(TerminalText(folder.path)): \(String(cString: strerror(errno)))"
  }
}

extension WorkerMedia {
  /// The filter of a worker, and the error that keeps it from decoding; neither when there is
  /// nothing to decode with.
  fileprivate static func examined(with support: MediaSupport) -> (SystemCallFilter?, MediaError?) {
    guard support.decodesAnything else { return (nil, nil) }
    do throws(MediaError) {
      let media = ofThisProgram()
      if support.decodesRecordings {
        _ = try media.waveform(of: MediaInput(silence), peakCount: 1) { false }
      }
      return (try media.systemCallFilter(), nil)
    } catch {
      return (nil, error)
    }
  }

  /// A WAV of two samples.
  private static let silence = Data(
    Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
      + [64, 31, 0, 0, 128, 62, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 0, 0, 0, 0, 0, 0, 0]
  )
}

extension MediaSupport {
  fileprivate var decodesAnything: Bool { !decodableTypes.isEmpty }
}

/// The findings.
private struct Examination {
  let shared: SharedFolder?
  /// The reason why the store cannot be written.
  let flaw: String?
  let sqlite: StoreInformation
  let support: MediaSupport
  let filter: SystemCallFilter?
  let workerError: MediaError?
  let device: OutputDevice
  let abilities: TerminalAbilities

  func json(at location: StoreLocation) -> JSONObject {
    [
      "store": .string(location.url.path),
      "sharedBy": shared.map { .string($0.service) } ?? .null,
      "canWrite": .bool(flaw == nil),
      "sqliteVersion": .string(sqlite.sqliteVersion),
      "sqliteHasLogResetBug": .bool(sqlite.sqliteHasLogResetBug),
      "libvipsVersion": support.libvipsVersion.map(JSONValue.string) ?? .null,
      "libavVersion": support.libavVersion.map(JSONValue.string) ?? .null,
      "libcurlVersion": SystemTransfer.libraryVersion.map(JSONValue.string) ?? .null,
      "libarchiveVersion": ArchiveLibrary.version.map(JSONValue.string) ?? .null,
      "libchafaVersion": TerminalAbilities.libraryVersion.map(JSONValue.string) ?? .null,
      "decodes": .array(support.decodableTypes.map { .string($0.mediaType) }),
      "cannotDecode": .array(support.undecodableTypes.map { .string($0.mediaType) }),
      "decodesApart": .bool(support.decodesAnything && workerError == nil),
      "filtersSystemCalls": .bool(filter == .on),
      "terminal": .bool(device.isTerminal),
      "color": .bool(device.allowsColor),
      "pixels": .string(abilities.form.name),
    ]
  }

  func lines(at location: StoreLocation) -> [(String, String)] {
    [("store", "\(location.url.path) (\(location.reason))")]
      + (shared.map { [("risk", $0.warning)] } ?? []) + [("sqlite", sqliteLine)]
      + lines("images", "libvips", support.libvipsVersion, .image)
      + lines("recordings", "libav", support.libavVersion, .voice)
      + [("decoding", workerLine)]
      + (filter.flatMap(DecoderAdvice(support: support).remedy(for:)).map { [("", $0)] } ?? [])
      + [("drawing", drawingLine)]
      + (DecoderAdvice(support: support).missingDrawing.map { [("", $0.remedy)] } ?? [])
      + [("terminal", terminalLine), ("buckets", bucketLine), ("archives", archiveLine)]
  }

  private var sqliteLine: String {
    guard sqlite.sqliteHasLogResetBug else { return sqlite.sqliteVersion }
    return "\(sqlite.sqliteVersion): before 3.51.3, another program that writes and checkpoints at "
      + "the same instant can damage the file (snip itself keeps clear of it)"
  }

  private func lines(
    _ name: String,
    _ library: String,
    _ version: String?,
    _ kind: SnippetKind
  ) -> [(String, String)] {
    let advice = DecoderAdvice(support: support)
    guard let version else {
      guard let missing = advice.missing(kind) else { return [] }
      return [(name, "not decoded: \(missing.reason)"), ("", missing.remedy)]
    }
    let names = support.decodableTypes.filter { $0.kind == kind }.map(\.name)
    return [(name, "\(library) \(version): \(names.joined(separator: ", "))")]
      + support.undecodableTypes.filter { $0.kind == kind }.map { type in
        ("", "not \(type.name): \(advice.remedy(for: type))")
      }
  }

  private var workerLine: String {
    if let workerError { return workerError.description }
    guard support.decodesAnything else { return "nothing to decode with" }
    return filter == .on
      ? "in processes of its own, under a filter of system calls"
      : "in processes of its own, which may open no files"
  }

  private var drawingLine: String {
    if let missing = DecoderAdvice(support: support).missingDrawing {
      return "pictures are not drawn: \(missing.reason)"
    }
    let name = "libchafa \(TerminalAbilities.libraryVersion ?? "")"
    return device.isTerminal ? "\(name): \(abilities.form.name) on this terminal" : name
  }

  private var bucketLine: String {
    SystemTransfer.libraryVersion.map { "\($0): sync reaches buckets of S3" }
      ?? "sync reaches folders only: libcurl is missing (apt-get install libcurl4)"
  }

  private var archiveLine: String {
    ArchiveLibrary.version.map { "\($0): import unpacks ZIP and tar archives" }
      ?? "import unpacks no archives: libarchive is missing (apt-get install libarchive13)"
  }

  private var terminalLine: String {
    guard device.isTerminal else { return "none here: output goes into a file or a pipe" }
    let color = device.allowsColor ? "with colour" : "without colour"
    return "\(device.width) columns, \(color)"
  }
}

/// The decoding processes do not work.
private struct WorkerFailure: StatusError {
  let error: MediaError

  var status: ExitStatus { .failure }
  var message: String { "no process that decodes could be started: \(error.reason)" }
  var hint: String? { "Pictures and recordings are kept as they are; nothing is shown of them." }
}

private struct PlaceFailure: StatusError {
  let reason: String

  var status: ExitStatus { .failure }
  var message: String { "the store cannot be written: \(reason)" }
  var hint: String? { "Name another place with --store or SNIP_STORE, or change its permissions." }
}
