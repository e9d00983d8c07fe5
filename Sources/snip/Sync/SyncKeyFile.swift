import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import SnippetSync
import SystemPackage
import TerminalKit

/// The file with the key of a repository, which only its owner can read.
struct SyncKeyFile {
  let url: URL

  /// Names the file of a repository, in the data directory of the user.
  init(of repository: String, in context: CommandContext) throws {
    let location = try StoreLocation(option: nil, environment: dataOnly(context), folder: nil)
    url = location.url.deletingLastPathComponent()
      .appendingPathComponent("keys").appendingPathComponent("\(repository.prefix(8)).key")
  }

  init(_ url: URL) { self.url = url }

  /// Reads the key.
  func read() throws -> String {
    do {
      return try String(contentsOf: url, encoding: .utf8)
    } catch {
      throw SyncKeyError(
        message: "could not read the key in \(url.path): \(Self.cause(of: error))",
        hint: "--key names the file; `snip sync key` prints it on a device that has joined.",
        status: Self.status(of: error)
      )
    }
  }

  /// Reads the key, and refuses a file that holds none.
  func key() throws -> String {
    let text = try read()
    do throws(SyncError) {
      return try StoreSync.key(in: text)
    } catch {
      throw SyncKeyError(
        message: "could not read the key in \(url.path): \(error.reason)",
        hint: error.recoverySuggestion,
        status: .badInput
      )
    }
  }

  /// A file that is missing or closed to this user, as the file of a store; otherwise it is no key.
  private static func status(of error: any Error) -> ExitStatus {
    guard let number = error.systemNumber else { return .badInput }
    return [ENOENT, ENOTDIR, EACCES, EPERM].contains(number) ? .noStore : .badInput
  }

  private static func cause(of error: any Error) -> String {
    guard let number = error.systemNumber else { return "it is not a text" }
    return number == ENOENT ? "there is no such file" : error.systemReason
  }

  var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Writes a key, unless there is a file already.
  ///
  /// - Returns: Whether it was written.
  @discardableResult
  func write(_ key: String, of repository: String) throws -> Bool {
    removeLeftovers()
    guard !isThere else { return false }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      let text = "# The key of the repository \(repository). Keep a copy elsewhere.\n\(key)\n"
      try StoreSeam.requireNoStore(at: url.path, during: "write the key")
      try place(Data(text.utf8))
      return true
    } catch {
      throw SyncKeyError(
        message: "could not write the key to \(url.path): \(Self.reason(of: error))",
        hint: "Nothing was made or joined. Once the file can be written, join again."
      )
    }
  }

  /// Removes the file of a repository that was not made.
  func remove() { FileSystem.remove(url.path) }

  /// Removes what killed processes left behind, which holds keys, once it is a day old.
  private func removeLeftovers() {
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.contains(".key.partial-") {
      let path = folder.appendingPathComponent(name).path
      let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      if let date, date.timeIntervalSinceNow < -86_400 { FileSystem.remove(path) }
    }
  }

  /// Makes the file: private to its owner from the start, and on the disk before anything needs it.
  private func place(_ bytes: Data) throws {
    let file = try OpenFile.temporary(url.path + ".partial")
    do {
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
      try file.synchronize()
      // Some file systems say only now that they could not take it.
      try file.close()
      try FileSystem.rename(file.path, to: url.path)
    } catch {
      // It holds the key.
      FileSystem.remove(file.path)
      throw error
    }
    try FileSystem.synchronize(folder: url.deletingLastPathComponent().path)
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as FileError: "\(error.code)"
    case let error as SnippetStoreError: error.reason
    default: error.systemReason
    }
  }
}

/// The key of a repository cannot be read or kept.
struct SyncKeyError: StatusError {
  let message: String
  let hint: String?
  var status = ExitStatus.cannotCreate
}

extension SyncKeyError {
  /// Says how to come by the key of a repository that others have made.
  init(missingFor address: String) {
    self.init(
      message: "could not join the repository in \(address): its key is on another device",
      hint: """
        Copy the file with the key from there; `snip sync key` prints it.
        Then give it: snip sync join \(ShellWord(address)) --key FILE
        """,
      status: .noStore
    )
  }
}

/// The environment without a store of its own, so that keys are found from all stores of a user.
private func dataOnly(_ context: CommandContext) -> [String: String] {
  context.environment.filter { $0.key != "SNIP_STORE" }
}
