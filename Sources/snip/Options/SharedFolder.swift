import Foundation
import SnippetBase

/// A folder that other machines write to as well, which is not safe for a store.
struct SharedFolder: Equatable, Sendable {
  /// The service that shares it.
  let service: String
  /// The folder with its mark.
  let folder: String
  /// Whether a program copies files in it; otherwise it is on another machine, or behind a program.
  let isSynchronized: Bool

  /// The marks of each service's folders; `*` stands for anything.
  private static let services: [(name: String, entries: [String], folders: [String])] = [
    ("Syncthing", [".stfolder"], []),
    ("Dropbox", [".dropbox.cache"], []),
    ("iCloud Drive", [], ["Mobile Documents", "com~apple~CloudDocs"]),
    ("OneDrive", [".849C9593-D756-4E56-8D6E-42412F2A707B"], ["OneDrive", "OneDrive - *"]),
    (
      "Nextcloud or ownCloud",
      [".sync_*.db", "._sync_*.db", ".nextcloudsync.log", ".owncloudsync.log"], []
    ),
    ("Google Drive", [".tmp.drivedownload", ".tmp.driveupload"], ["GoogleDrive-*"]),
    ("a cloud service", [], ["CloudStorage"]),
  ]

  /// Looks at the folders that contain a file, whether the file exists or not.
  ///
  /// - Parameter file: The file; links are followed.
  init?(holding file: URL) {
    var folder = file.resolvingSymlinksInPath().deletingLastPathComponent().standardizedFileURL
    if NetworkFileSystem.holds(folder.path) {
      (service, self.folder, isSynchronized) = ("the network or FUSE", folder.path, false)
      return
    }
    while true {
      if let service = Self.service(of: folder) {
        (self.service, self.folder, isSynchronized) = (service, folder.path, true)
        return
      }
      guard folder.path != "/", !folder.path.isEmpty else { return nil }
      folder.deleteLastPathComponent()
    }
  }

  private static func service(of folder: URL) -> String? {
    // The owner's home has a folder of that name; only a shared folder has a file.
    if isFile(folder.appendingPathComponent(".dropbox")) { return "Dropbox" }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return services.first { service in
      service.folders.contains { fnmatch($0, folder.lastPathComponent, 0) == 0 }
        || entries.contains { entry in
          entry.hasPrefix(".") && service.entries.contains { fnmatch($0, entry, 0) == 0 }
        }
    }?.name
  }

  private static func isFile(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }

  /// The danger, with advice.
  var warning: String {
    isSynchronized
      ? """
      \(folder) is synchronized by \(service), which copies the file and its log one by one and \
      puts those of other machines in their place: what was saved can be lost, or the store be \
      damaged. Keep the store elsewhere, and have `snip backup` write into that folder
      """
      : """
      \(folder) lies on another machine or behind a program of its own, where locks and shared \
      memory may not hold: the store can be damaged. Keep it on a local disk, and have `snip backup` \
      write into that folder
      """
  }
}
