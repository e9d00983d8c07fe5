import Foundation
import SnippetBase
import SnippetExchange
import SnippetLoading
import SnippetTestSupport
import Testing

@testable import SnipBrowser

/// Folders for copies, and where they may be.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PrivateFolderTests {
  private let place = TemporaryDirectory.current.url.path
  private let minute = 60.0

  private var names: [String] { Self.names(in: place) }

  private static func names(in place: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
      .filter { $0.hasPrefix("snip-browse-") }.sorted()
  }

  private func makeFolder() throws -> PrivateFolder { try Self.makeFolder(in: place) }

  private static func makeFolder(in place: String) throws -> PrivateFolder {
    let folder = try PrivateFolder.make("\(place)/snip-browse-")
    try Data("copy".utf8).write(to: URL(fileURLWithPath: folder.path + "/1 Memo.wav"))
    return folder
  }

  @Test func `only its owner can enter a folder, and what is in it goes with it`() throws {
    let folder = try makeFolder()
    let rights = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o700)
    folder.remove()
    #expect(names.isEmpty)
  }

  // A process of its own, whose calls of the file system are recorded.
  @Test func `a copy for an editor, and the way to it, are on the disk before it starts`() async {
    await #expect(processExitsWith: .success) { [place = place as String] in
      let synced = Lock<[String]>([])
      FileCalls.observer = { call in
        if case .sync(let path) = call { synced.withLock { $0.append(path) } }
        return nil
      }
      let json = #"{"snippet":1,"isNote":false,"text":"a","formerText":"a","revision":1}"#
      let copy = try EditedCopy(
        of: JSONDecoder().decode(UnsavedText.self, from: Data(json.utf8)),
        named: "snippet-1.txt",
        beside: URL(fileURLWithPath: place + "/store.sqlite")
      )
      FileCalls.observer = nil

      #expect(synced.withLock(\.self).suffix(3) == [copy.path, copy.place, place])
    }
  }

  // A process of its own: a program that another test starts holds the locks of this one, too, in
  // the moment before it runs.
  @Test func `copies of browsers that were killed are removed, once no viewer needs them`() async {
    await #expect(processExitsWith: .success) { [place = place as String] in
      let used = try PrivateFolderTests.makeFolder(in: place)
      let name = try PrivateFolderTests.makeFolder(in: place).path
      #expect(PrivateFolderTests.names(in: place).count == 2)

      PrivateCopies.removeLeftovers(in: place, at: Date())
      #expect(PrivateFolderTests.names(in: place).count == 2)
      PrivateCopies.removeLeftovers(in: place, at: Date() + 2 * 60)

      #expect(!FileStatus.exists(name) && FileStatus.exists(used.path + "/1 Memo.wav"))
    }
  }

  @Test func `what has the name of a copy and is none stays`() throws {
    let folder = try makeFolder().path
    let (link, file) = ("\(place)/snip-browse-link00", "\(place)/snip-browse-file00")
    try #require(symlink(folder, link) == 0)
    try Data().write(to: URL(fileURLWithPath: file))
    let full = "\(place)/snip-browse-full00"
    try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: full + "/file"))

    PrivateCopies.removeLeftovers(in: place, at: Date() + 2 * minute)

    #expect(names == ["snip-browse-file00", "snip-browse-full00", "snip-browse-link00"])
  }

  // Only the superuser can give a folder away.
  @Test(.enabled(if: geteuid() == 0))
  func `the folder of another user is not touched, since that user could swap what is in it`()
    throws
  {
    let folder = try makeFolder().path
    try #require(chown(folder, 12_345, 12_345) == 0)
    PrivateCopies.removeLeftovers(in: place, at: Date() + 2 * minute)
    #expect(names.count == 1)
  }

  // MARK: - The place

  private func makePlace(_ mode: mode_t) throws -> String {
    let path = "\(place)/tmp"
    try #require(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
    return path
  }

  @Test(arguments: [(mode_t(0o700), true), (0o1777, true), (0o777, false)])
  func `a place in which others can rename folders is refused`(mode: mode_t, isSafe: Bool) throws {
    let path = try makePlace(mode)
    let below = path + "/below"
    try #require(mkdir(below, 0o700) == 0)
    for place in [path, below] {
      if isSafe {
        #expect(try TemporaryPlace.path(of: place) == FileSystem.realPath(of: place))
      } else {
        let error = #expect(throws: OtherProgramError.self) { try TemporaryPlace.path(of: place) }
        #expect(error?.message.hasSuffix("other users can replace what is in \(place)") == true)
      }
    }
  }

  @Test func `a place that is a link is used without the link`() throws {
    let path = try makePlace(0o700)
    try #require(symlink(path, "\(place)/link") == 0)
    #expect(try TemporaryPlace.path(of: "\(place)/link") == FileSystem.realPath(of: path))
  }

  @Test func `a place that does not exist is told`() {
    let error = #expect(throws: OtherProgramError.self) {
      try TemporaryPlace.path(of: "\(place)/none")
    }
    #expect(error?.message == "there is no folder \(place)/none")
  }
}
