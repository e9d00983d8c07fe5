import Foundation
import SnippetTestSupport
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SharedFolderTests {
  @Test(
    arguments: [
      ("a/.stfolder/", "a/b/store", "Syncthing", "a"),
      ("a/.dropbox.cache/", "a/b/c/store", "Dropbox", "a"),
      ("Dropbox/.dropbox", "Dropbox/store", "Dropbox", "Dropbox"),
      (
        "Library/Mobile Documents/com~apple~CloudDocs/",
        "Library/Mobile Documents/com~apple~CloudDocs/s",
        "iCloud Drive", "Library/Mobile Documents/com~apple~CloudDocs"
      ),
      ("OneDrive - Company/", "OneDrive - Company/s", "OneDrive", "OneDrive - Company"),
      ("n/.sync_0a1b2c.db", "n/store", "Nextcloud or ownCloud", "n"),
      ("n/._sync_0a1b2c.db", "n/store", "Nextcloud or ownCloud", "n"),
      ("n/.nextcloudsync.log", "n/store", "Nextcloud or ownCloud", "n"),
      ("g/.tmp.driveupload/", "g/store", "Google Drive", "g"),
      (
        "Library/CloudStorage/GoogleDrive-me@example.org/My Drive/",
        "Library/CloudStorage/GoogleDrive-me@example.org/My Drive/s", "Google Drive",
        "Library/CloudStorage/GoogleDrive-me@example.org"
      ),
      (
        "Library/CloudStorage/Box/", "Library/CloudStorage/Box/s", "a cloud service",
        "Library/CloudStorage"
      ),
    ]
  )
  func `a folder that is synchronized is known by its mark, in any folder above`(
    mark: String,
    store: String,
    service: String,
    folder: String
  ) throws {
    try make(mark)

    let found = try #require(SharedFolder(holding: TemporaryDirectory.file(store)))

    #expect(found.service == service)
    #expect(found.folder == root.appendingPathComponent(folder).path)
    #expect(found.isSynchronized)
    #expect(found.warning.contains("snip backup"))
  }

  // Dropbox keeps its settings in a folder of that name in every home that it serves.
  @Test(arguments: [".dropbox/", "sync_1.db", "stfolder/", "OneDriver/"])
  func `what only looks like a mark is none`(name: String) throws {
    try make("a/\(name)")

    #expect(SharedFolder(holding: TemporaryDirectory.file("a/store")) == nil)
  }

  @Test func `a link is followed`() throws {
    try make("a/.stfolder/")
    try make("a/store")
    let link = TemporaryDirectory.file("link")
    try FileManager.default.createSymbolicLink(
      at: link,
      withDestinationURL: TemporaryDirectory.file("a/store")
    )

    #expect(SharedFolder(holding: link)?.service == "Syncthing")
  }

  @Test func `info and doctor warn of it`() async throws {
    let snip = try SnipTool()
    try make("sync/.stfolder/")
    #expect(try await snip("add", "--text", "x", "--store", "sync/store").status == 0)
    #expect(try await snip("add", "--text", "x").status == 0)

    for command in ["info", "doctor"] {
      let warned = try await snip(command, "--store", "sync/store")
      let json = try await snip(command, "--store", "sync/store", "--json")
      let quiet = try await snip(command, "--json")

      #expect(warned.status == 0)
      #expect(
        warned.text.contains("is synchronized by Syncthing, which copies the file"),
        "\(warned)"
      )
      #expect(try json.json("sharedBy") == ["Syncthing"])
      #expect(try quiet.json("sharedBy") == [.null])
    }
  }

  private var root: URL { TemporaryDirectory.current.url.resolvingSymlinksInPath() }

  /// Makes a file, or a folder where the path ends with a slash.
  private func make(_ path: String) throws {
    let url = root.appendingPathComponent(path)
    let folder = path.hasSuffix("/") ? url : url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if !path.hasSuffix("/") { try Data().write(to: url) }
  }
}
