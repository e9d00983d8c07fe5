import Foundation
import SnipCore
import SnippetBase
import SnippetSync
import TerminalKit

/// The place of a repository as the command line names it, and as the store keeps it: a folder, or
/// `s3://bucket/prefix?endpoint=URL,URL&region=NAME`.
struct SyncPlace {
  let address: String
  let carrier: any SyncCarrier

  /// Finds the way to a place.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - endpoints: Servers of S3 that the address does not name.
  ///   - region: The region of S3 that the address does not name.
  ///   - environment: Where the keys of S3 may be.
  ///   - folder: The folder from which a relative path starts.
  /// - Throws: ``SyncError`` for an address or keys that are none.
  init(
    _ address: String,
    endpoints: String? = nil,
    region: String? = nil,
    environment: [String: String],
    folder: URL?
  ) throws(SyncError) {
    guard address.hasPrefix("s3://") else {
      let path = TypedPath.followed(address, from: folder)
      let url = URL(fileURLWithPath: path, relativeTo: folder).standardizedFileURL
      // Without a slash at its end, which a folder gets once it is there.
      self.address = url.path
      carrier = FolderCarrier(url)
      return
    }
    let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
    var settings = URLComponents(string: "?" + (parts.count > 1 ? parts[1] : ""))?.queryItems ?? []
    if let endpoints { settings.append(URLQueryItem(name: "endpoint", value: endpoints)) }
    if let region { settings.append(URLQueryItem(name: "region", value: region)) }
    func value(_ name: String) -> String? { settings.last { $0.name == name }?.value }
    var urls: [URL] = []
    for text in value("endpoint")?.split(separator: ",").map(String.init) ?? [] {
      guard let url = URL(string: text) else {
        throw SyncError(.invalidInput, "use \(address)", because: "'\(text)' is no address")
      }
      urls.append(url)
    }
    carrier = try BucketCarrier(
      address: parts[0],
      endpoints: urls,
      region: value("region"),
      credentials: .load(environment: environment)
    )
    let kept = ["endpoint", "region"].compactMap { name in value(name).map { "\(name)=\($0)" } }
    self.address = parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  /// Finds the repository in the place; `nil` if there is none, or no folder yet.
  func repository() async throws(SyncError) -> String? {
    guard address.hasPrefix("s3://") || FileManager.default.fileExists(atPath: address) else {
      return nil
    }
    return try await StoreSync.repository(by: carrier)
  }

  /// Refuses a folder for a new repository that has files of others, among which it would be lost.
  ///
  /// A folder that cannot be listed says so by the next call.
  func requireNoOtherFiles() throws(SyncError) {
    guard !address.hasPrefix("s3://"), let names = try? OpenFolder(address).names() else { return }
    let other = names.first { entry in
      // Programs that show or synchronize folders hide what they need there.
      !entry.isText
        || !(entry.name.hasPrefix(".") || Self.allowedNames.contains(entry.name.lowercased()))
    }
    guard let other else { return }
    let inner = ShellWord("\(address)/snippets")
    throw SyncError(
      .noRepository,
      "make a repository in \(address)",
      because: "it holds other files, such as \(other.name)",
      do: "Name an empty folder, or a new one in it: snip sync join \(inner)"
    )
  }

  /// The names, in small letters, of what systems put into folders, disks and shares, and of what a
  /// repository has: one whose files are still arriving is refused later, with other words.
  private static let allowedNames: Set<String> = [
    "desktop.ini", "thumbs.db", "icon\r", "lost+found", "system volume information", "$recycle.bin",
    "@eadir", "@recycle", "#recycle", "#snapshot",
    "format", "device", "log", "run", "blob", "thumb", "keys",
  ]

  /// Makes the folder, unless it is there; nothing for a bucket.
  func makeFolder() throws(SyncError) {
    guard !address.hasPrefix("s3://") else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: address,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw SyncError(
        .failed,
        "make the folder \(address)",
        // As below /proc, where the system finds no folder to make it in.
        because: error.systemNumber == ENOENT ? "no folder can be made there" : error.systemReason,
        do: "Choose another place, or make the folder.",
        underlying: error
      )
      .about(.folder)
    }
  }
}
