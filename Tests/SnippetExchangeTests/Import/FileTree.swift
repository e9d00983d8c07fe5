import Foundation
import SnippetBase
import SnippetExchange
import SnippetTestSupport

/// A folder of files to import.
struct FileTree: Sendable {
  let url: URL

  init(_ name: String) throws {
    url = TemporaryDirectory.file(name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { url.path + "/" + name }

  @discardableResult
  func add(_ name: String, _ bytes: Data) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try bytes.write(to: file)
    return file
  }

  @discardableResult
  func add(_ name: String, _ text: String) throws -> URL {
    try add(name, Data(text.utf8))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The paths of the regular files in a folder, sorted.
  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { FileStatus.isRegular(folder.path + "/" + $0) == true }.sorted()
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appendingPathComponent(name))
  }

  /// Moves a file or a folder; folders on its way are made.
  func move(_ name: String, to other: String) throws {
    let new = url.appendingPathComponent(other)
    try FileManager.default.createDirectory(
      at: new.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(at: url.appendingPathComponent(name), to: new)
  }

  /// Gives a file a date of change, by default one that is always the same.
  func setDate(_ name: String, _ date: Date = Samples.date) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: date],
      ofItemAtPath: path(name)
    )
  }

  /// Adds a link to a place that is taken as it is, relative to the link.
  @discardableResult
  func addLink(_ name: String, to destination: String) throws -> URL {
    try FileManager.default.createSymbolicLink(
      atPath: path(name),
      withDestinationPath: destination
    )
    return url.appendingPathComponent(name)
  }

  @discardableResult
  func addPipe(_ name: String) throws -> URL {
    guard mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return url.appendingPathComponent(name)
  }
}

/// The outcome of a file, to be compared.
struct ImportOutcome: Equatable {
  var path: String
  var outcome: ImportEvent.Outcome
  var byteCount: Int64

  init(_ path: String, _ outcome: ImportEvent.Outcome, _ byteCount: Int64 = 0) {
    (self.path, self.outcome, self.byteCount) = (path, outcome, byteCount)
  }

  init(_ event: ImportEvent) {
    self.init(event.file.path, event.outcome, event.byteCount ?? 0)
  }
}
