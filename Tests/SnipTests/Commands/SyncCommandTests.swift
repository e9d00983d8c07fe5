import Foundation
import SnippetTestSupport
import Testing

/// Two users with a store each, who meet in a folder.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SyncCommandTests {
  private let laptop: SnipTool
  private let phone: SnipTool

  init() async throws {
    let tool = try SnipTool.inProcess()
    laptop = tool.with([
      "HOME": tool.folder.appendingPathComponent("home-laptop").path,
      "SNIP_STORE": tool.folder.appendingPathComponent("laptop.sqlite").path,
    ])
    phone = tool.with([
      "HOME": tool.folder.appendingPathComponent("home-phone").path,
      "SNIP_STORE": tool.folder.appendingPathComponent("phone.sqlite").path,
    ])
  }

  /// Joins with both, and returns the path of the key.
  private func join() async throws -> String {
    _ = try await laptop("add", "Milk", "--title", "Shop", "--tag", "home")
    let joined = try await laptop("sync", "join", "meeting", "--name", "laptop")
    #expect(joined.status == 0, "\(joined)")
    #expect(joined.standardError.contains("There is no repository in "))
    #expect(joined.text == "Sent 1 snippet\n")
    let key = try key(toldBy: joined)
    let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let there = try await phone(
      "sync",
      "join",
      "meeting",
      "--name",
      "phone",
      "--key",
      key
    )
    #expect(there.status == 0, "\(there)")
    #expect(there.text == "Received 1 snippet\n")
    return key
  }

  private func key(toldBy output: SnipOutput) throws -> String {
    let match = output.standardError.firstMatch(of: #/The key is in (.*): keep a copy elsewhere\./#)
    return String(try #require(match).output.1)
  }

  @Test func `what is added on one device is there on the other`() async throws {
    _ = try await join()
    #expect(try await phone("list", "--json").json("title") == ["Shop"])
    _ = try await phone("add", "Eggs")

    #expect(try await phone("sync").text == "Sent 1 snippet\n")
    #expect(try await laptop("sync").text == "Received 1 snippet\n")

    #expect(try await laptop("list", "--json").json("preview") == ["Eggs", "Milk"])
    #expect(try await laptop("sync").text == "Up to date.\n")
    let devices = try await laptop("sync", "devices", "--json")
    #expect(try devices.json("name") == ["laptop", "phone"])
    #expect(try await laptop("check").status == 0)
  }

  @Test func `a device without the key is told how to come by it`() async throws {
    _ = try await laptop("sync", "join", "meeting")

    let without = try await phone("sync", "join", "meeting")
    #expect(without.status == 66, "\(without)")
    #expect(without.standardError.contains(": its key is on another device\nhint: Copy the file"))
    #expect(without.standardError.hasSuffix("meeting --key FILE\n"), "\(without)")
    let mistyped = try await phone("sync", "join", "meeting", "--key", "no.key")
    #expect(mistyped.status == 66, "\(mistyped)")
    #expect(mistyped.standardError.contains("no.key: there is no such file\nhint: "), "\(mistyped)")
  }

  @Test func `a key file that is a folder or holds no key is no valid input`() async throws {
    _ = try await join()
    let folder = laptop.folder
    try Data("no key".utf8).write(to: folder.appendingPathComponent("no.key"))
    for key in [folder.path, folder.appendingPathComponent("no.key").path] {
      for arguments in [["sync"], ["sync", "key"]] {
        let refused = try await laptop.run(arguments + ["--key", key])
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.text.isEmpty, "\(refused)")
        let start = "snip: could not read the key in \(key): "
        #expect(refused.standardError.hasPrefix(start), "\(refused)")
      }
    }
  }

  @Test func `a join with the key of another repository does not say that it joins`() async throws {
    let right = try await join()
    let third = phone.with([
      "HOME": phone.folder.appendingPathComponent("home-third").path,
      "SNIP_STORE": phone.folder.appendingPathComponent("third.sqlite").path,
    ])
    let other = try key(toldBy: try await third("sync", "join", "other"))
    _ = try await third("sync", "leave", "--forget")

    let refused = try await third("sync", "join", "meeting", "--key", other)
    let joined = try await third("sync", "join", "meeting", "--key", right)

    #expect(refused.status == 66, "\(refused)")
    #expect(!refused.standardError.contains("Join"), "\(refused)")
    #expect(joined.status == 0, "\(joined)")
    #expect(joined.standardError.contains("Joined the repository "), "\(joined)")
  }

  @Test func `a place where no folder can be made is told plainly`() async throws {
    let refused = try await laptop("sync", "join", "/proc/meeting")

    #expect(refused.status == 73, "\(refused)")
    #expect(refused.standardError.contains("could not make the folder /proc/meeting: "))
    #expect(!refused.standardError.contains("No such file"), "\(refused)")
  }

  @Test func `no repository is made whose key cannot be written`() async throws {
    let keys = URL(fileURLWithPath: try await join()).deletingLastPathComponent()
    let new = laptop.with([
      "SNIP_STORE": laptop.folder.appendingPathComponent("new.sqlite").path
    ])
    try FileManager.default.removeItem(at: keys)
    try Data().write(to: keys)

    let failed = try await new("sync", "join", "elsewhere")

    #expect(failed.status == 73, "\(failed)")
    #expect(failed.standardError.contains("could not write the key to \(keys.path)"), "\(failed)")
    let mark = laptop.folder.appendingPathComponent("elsewhere/format")
    #expect(!FileManager.default.fileExists(atPath: mark.path))
    try FileManager.default.removeItem(at: keys)
    let joined = try await new("sync", "join", "elsewhere")
    #expect(joined.status == 0, "\(joined)")
    #expect(FileManager.default.fileExists(atPath: try key(toldBy: joined)))
  }

  @Test func `the key of a repository that could not be made does not stay`() async throws {
    let keys = URL(fileURLWithPath: try await join()).deletingLastPathComponent().path
    let before = try FileManager.default.contentsOfDirectory(atPath: keys).sorted()
    let new = laptop.with([
      "SNIP_STORE": laptop.folder.appendingPathComponent("new.sqlite").path
    ])
    // What is in the way of the mark lets no user write it.
    let mark = laptop.folder.appendingPathComponent("elsewhere/format")
    try FileManager.default.createDirectory(at: mark, withIntermediateDirectories: true)

    for _ in 1...2 {
      let failed = try await new("sync", "join", "elsewhere")
      #expect(failed.status != 0, "\(failed)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: keys).sorted() == before)
    }

    try FileManager.default.removeItem(at: mark)
    let joined = try await new("sync", "join", "elsewhere")
    #expect(joined.status == 0, "\(joined)")
    #expect(FileManager.default.fileExists(atPath: try key(toldBy: joined)))
  }

  @Test func `a store that joins its own place again is not told to leave it`() async throws {
    _ = try await join()

    let again = try await laptop("sync", "join", "meeting")

    #expect(again.status == 1, "\(again)")
    #expect(
      again.standardError.hasSuffix(
        ": the store takes part there already\nhint: Receive and send with snip sync.\n"
      ),
      "\(again)"
    )
    #expect(try await laptop("sync").status == 0)
  }

  @Test func `no repository is made among the files of others`() async throws {
    let manager = FileManager.default
    let folder = laptop.folder.appendingPathComponent("meeting")
    for name in [".stfolder", "lost+found", "@eaDir", "#recycle"] {
      try manager.createDirectory(
        at: folder.appendingPathComponent(name),
        withIntermediateDirectories: true
      )
    }
    for name in [".DS_Store", "Desktop.ini", "Letter to Ida.txt"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    let before = try manager.subpathsOfDirectory(atPath: folder.path).sorted()

    let refused = try await laptop("sync", "join", "meeting", "--name", "laptop", "--yes")

    #expect(refused.status == 66, "\(refused)")
    #expect(
      refused.standardError == """
        snip: could not make a repository in \(folder.path): it holds other files, such as \
        Letter to Ida.txt
        hint: Name an empty folder, or a new one in it: snip sync join \(folder.path)/snippets

        """
    )
    #expect(try manager.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    try manager.removeItem(at: folder.appendingPathComponent("Letter to Ida.txt"))
    _ = try await join()
    // Whatever comes later is in the way of none.
    try Data().write(to: folder.appendingPathComponent("Letter to Ida.txt"))
    #expect(try await laptop("sync").status == 0)
    #expect(try await laptop("sync", "check", "--read").status == 0)
  }

  @Test func `a join that is refused makes nothing, and says nothing else`() async throws {
    _ = try await join()
    _ = try await phone("sync", "leave", "--yes")
    let folder = laptop.folder.appendingPathComponent("new")

    let elsewhere = try await laptop("sync", "join", "new/deep")
    let nameless = try await ["", " \t"].asyncMap { name in
      try await phone("sync", "join", "new/deep", "--name", name)
    }

    #expect(elsewhere.status == 1, "\(elsewhere)")
    #expect(nameless.map(\.status) == [64, 64], "\(nameless)")
    for refused in [elsewhere] + nameless {
      #expect(!refused.standardError.contains("There is no repository"), "\(refused)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `control characters in the name of a device are refused, or shown as signs`()
    async throws
  {
    for name in ["lap\ntop", "lap\u{1B}[31mtop", "lap\u{202E}top", "lap\u{85}top"] {
      let refused = try await laptop("sync", "join", "new/deep", "--name", name)
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.standardError.contains("without control characters"), "\(refused)")
    }
    _ = try await join()
    let store = laptop.folder.appendingPathComponent("laptop.sqlite")
    let edit = try await Shell.sqlite3(
      store,
      "UPDATE sync_state SET name = 'lap' || char(27) || char(8238) || 'top'"
    )
    #expect(edit.status == 0)
    _ = try await laptop("add", "Eggs")
    #expect(try await laptop("sync").status == 0)
    let log = try #require(try objects(below: "log").max { $0.path < $1.path })
    try FileManager.default.removeItem(at: log)

    let held = try await phone("sync")
    let devices = try await phone("sync", "devices")
    let check = try await phone("sync", "check")

    for text in [held.standardError, devices.text, check.text] {
      #expect(text.contains("lap␛<U+202E>top"), "\(text)")
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(text)")
    }
  }

  @Test func `devices stand in columns`() async throws {
    _ = try await join()

    _ = try await laptop("sync")
    let lines = try await laptop("sync", "devices").lines
    let columns = lines.map { $0.prefix { $0 != "2" }.count }

    #expect(lines.count == 2 && Set(columns).count == 1, "\(lines)")
  }

  @Test func `a device that has left is listed so, if it could reach the place`() async throws {
    let key = try await join()
    for device in [phone, laptop] { #expect(try await device("sync").status == 0) }
    let place = laptop.folder.appendingPathComponent("meeting")
    let away = laptop.folder.appendingPathComponent("unmounted")
    try FileManager.default.moveItem(at: place, to: away)
    let untold = try await phone("sync", "leave", "--yes")
    try FileManager.default.moveItem(at: away, to: place)
    #expect(untold.status == 0, "\(untold)")
    #expect(
      untold.standardError.hasSuffix("could not be told, and go on listing it, or its original.\n")
    )
    let before = try await laptop("sync", "devices", "--json")
    #expect(!before.text.contains("leftAt"), "\(before)")

    _ = try await phone("sync", "join", "meeting", "--name", "again", "--key", key, "--yes")
    #expect(try await phone("sync", "leave", "--yes").status == 0)
    #expect(try await laptop("sync").status == 0)

    let lines = try await laptop("sync", "devices").lines
    // Joining again has told that the phone left.
    #expect(lines.map { $0.contains("  left ") } == [false, true, true], "\(lines)")
    #expect(lines.last?.hasPrefix("again") == true, "\(lines)")
    let told = try await laptop("sync", "devices", "--json").lines
    #expect(told.map { $0.contains("leftAt") } == [false, true, true], "\(told)")
  }

  @Test func `a store that was copied, and then moved, is listed with words for the former one`()
    async throws
  {
    _ = try await join()
    let copied = laptop.folder.appendingPathComponent("copied.sqlite")
    #expect(try await laptop("backup", copied.path).status == 0)
    let copy = laptop.with(["SNIP_STORE": copied.path])
    #expect(try await copy("sync").status == 0)
    let beside = try await copy("sync", "devices").lines
    #expect(
      beside.map { $0.hasSuffix("  (moved or copied since, or another of this name)") }
        == [true, false, false],
      "\(beside)"
    )
    let moved = laptop.folder.appendingPathComponent("moved.sqlite")
    #expect(try await copy("backup", moved.path).status == 0)
    try FileManager.default.removeItem(at: copied)
    let there = laptop.with(["SNIP_STORE": moved.path])

    #expect(try await there("sync").status == 0)

    let lines = try await there("sync", "devices").lines
    #expect(lines.count == 3 && lines.last?.hasPrefix("laptop (this device)") == true, "\(lines)")
  }

  @Test func `two edits of one text are both kept, and told`() async throws {
    _ = try await join()
    for (tool, text) in [(laptop, "Milk and tea"), (phone, "Milk and rice")] {
      _ = try await tool("edit", "1", "--text", text)
    }

    _ = try await laptop("sync")
    let told = try await phone("sync")

    #expect(told.text.contains("(snip list tag:conflict)"), "\(told)")
    #expect(try await phone("list", "tag:conflict", "--json").lines.count == 1)
  }

  @Test func `an empty place, a missing key and a store that has not joined are told`() async throws
  {
    _ = try await laptop("add", "here")
    let unjoined = try await laptop("sync")
    #expect(unjoined.status == 1)
    #expect(unjoined.standardError.contains("the store has not joined a repository"))
    let joined = try await laptop("sync", "join", "meeting", "--name", "laptop")
    let key = try key(toldBy: joined)

    try FileManager.default.removeItem(at: laptop.folder.appendingPathComponent("meeting/format"))
    let empty = try await laptop("sync")
    #expect(empty.status == 66, "\(empty)")
    #expect(empty.standardError.contains("there is no repository in"))
    #expect(empty.standardError.contains("Nothing was changed."))
    try FileManager.default.removeItem(atPath: key)
    #expect(try await laptop("sync").status == 66)
    #expect(try await laptop("list", "--json").lines.count == 1)
  }

  @Test func `joining without the key names the option for it, and changes nothing`() async throws {
    _ = try await laptop("add", "here")
    let joined = try await laptop("sync", "join", "meeting", "--name", "laptop")
    _ = try await phone("add", "there")

    let refused = try await phone("sync", "join", "meeting", "--name", "phone")

    #expect(joined.status == 0)
    #expect(refused.status == 66, "\(refused)")
    #expect(refused.standardError.contains("could not join the repository"))
    #expect(refused.standardError.contains("--key FILE"))
    #expect(try await phone("sync").standardError.contains("has not joined a repository"))
  }

  @Test func `status, key and leave say what they do`() async throws {
    let key = try await join()
    _ = try await laptop("add", "unsent")

    let status = try await laptop("sync", "status", "--json")
    #expect(try status.json("unsent") == [1])
    #expect(try status.json("unsentFiles") == [0])
    #expect(try status.json("device") == ["laptop"])
    let printed = try await laptop("sync", "key").text
    #expect(printed.hasPrefix("AGE-SECRET-KEY-1"))
    #expect(try String(contentsOfFile: key, encoding: .utf8).contains(printed))
    #expect(try await laptop("sync", "leave").status == 0)
    #expect(try await laptop("sync").status == 1)
    #expect(try await laptop("list", "--json").lines.count == 2)
  }

  @Test func `a store that leaves and joins again takes over what was deleted`() async throws {
    let key = try await join()
    _ = try await laptop("add", "Eggs")
    for device in [laptop, phone] { #expect(try await device("sync").status == 0) }
    let left = try await phone("sync", "leave", "--yes")
    #expect(left.standardError.hasSuffix("What this store knows of it stays, for joining again.\n"))
    #expect(try await phone("sync", "leave").status == 1)
    #expect(try await phone("sync", "status").status == 1)
    _ = try await laptop("rm", "1", "--permanently", "--yes")
    _ = try await phone("rm", "2", "--permanently", "--yes")
    #expect(try await laptop("sync").text == "Sent 1 snippet\n")

    let joined = try await phone("sync", "join", "meeting", "--key", key)

    #expect(joined.text == "Removed 1 snippet\nSent 1 snippet\n", "\(joined)")
    #expect(try await laptop("sync").text == "Removed 1 snippet\n")
    for device in [laptop, phone] {
      #expect(try await device("list", "--json").lines.isEmpty)
      #expect(try await device("sync").text == "Up to date.\n")
    }
    #expect(try await phone("sync", "leave", "--forget", "--yes").status == 0)
    #expect(try await phone("sync", "leave", "--forget").status == 0)
  }

  @Test func `a purge tells which snippets the repository still has`() async throws {
    _ = try await join()
    _ = try await laptop("add", "never sent")
    _ = try await laptop("rm", "2")
    let unsent = try await laptop("purge", "--yes")
    #expect(unsent.standardError == "Deleted 1 for good.\n", "\(unsent)")
    _ = try await laptop("rm", "1")

    let purged = try await laptop("purge", "--yes")

    let place = laptop.folder.appendingPathComponent("meeting").path
    #expect(
      purged.standardError == """
        Deleted 1 for good.
        The repository in \(place) still has 1 deleted snippet, encrypted: nothing is deleted there. \
        `snip sync` deletes them on the other devices; purge there, too.

        """
    )
    #expect(try await laptop("sync").text == "Sent 1 snippet\n")
    #expect(try await phone("sync").text == "Removed 1 snippet\n")
    _ = try await laptop("sync", "leave", "--yes")
    let left = try await laptop("purge", "--yes")
    #expect(left.standardError.contains("The repository still has 1 deleted snippet"), "\(left)")
    #expect(left.standardError.hasSuffix(" Other devices are not told of it.\n"))
  }

  @Test(arguments: ["--theirs", "--mine"])
  func `after a restore a person decides what counts`(choice: String) async throws {
    _ = try await join()
    _ = try await laptop("backup", "backup.sqlite")
    _ = try await laptop("edit", "1", "--title", "Market")
    for device in [laptop, phone] { #expect(try await device("sync").status == 0) }
    let restored = try await laptop("restore", "backup.sqlite")
    #expect(restored.status == 0)
    #expect(restored.standardError.contains("or the backup (snip sync --mine).\n"), "\(restored)")

    let asked = try await laptop("sync")
    #expect(asked.status == 1)
    #expect(asked.standardError.contains("snip sync --theirs"))
    let watched = try await laptop("sync", "--watch")
    #expect(watched.status == 1)
    #expect(watched.standardError == asked.standardError)
    #expect(try await laptop("sync", "status").text.contains("snip sync --theirs, or"))
    #expect(try await laptop("sync", "status", "--json").json("restored") == [true])
    let browser = try await laptop("browse", "--dump", "--size", "90x8")
    #expect(browser.text.contains(" restored: see snip sync status "), "\(browser)")
    let decided = try await laptop("sync", choice)
    #expect(decided.status == 0, "\(decided)")
    #expect(try await !laptop("sync", "status").text.contains("--theirs"))
    #expect(try await laptop("sync", choice).status == 64)
    #expect(try await phone("sync").status == 0)

    let title = choice == "--mine" ? "Shop" : "Market"
    for device in [laptop, phone] {
      #expect(try await device("list", "--json").json("title") == [.string(title)])
    }
  }

  @Test func `a backup from before the join is told to take part in nothing`() async throws {
    _ = try await laptop("add", "first")
    _ = try await laptop("backup", "before.sqlite")
    _ = try await laptop("rm", "1", "--permanently", "--yes")
    let unjoined = try await laptop("restore", "before.sqlite", "--yes")
    #expect(!unjoined.standardError.contains("met others"), "\(unjoined)")
    _ = try await laptop("rm", "1", "--permanently", "--yes")
    _ = try await join()

    let restored = try await laptop("restore", "before.sqlite", "--yes")

    let place = laptop.folder.appendingPathComponent("meeting").path
    #expect(restored.status == 0, "\(restored)")
    #expect(restored.standardError.contains("takes part there no more"), "\(restored)")
    #expect(restored.standardError.contains("snip sync join \(place)"), "\(restored)")
    #expect(try await laptop("sync", "join", place, "--yes").status == 0)
    #expect(try await laptop("list", "--json").lines.count == 2)
  }

  @Test func `a store that leaves is told what it has not sent`() async throws {
    _ = try await join()
    _ = try await laptop("add", "Eggs")

    let left = try await laptop("sync", "leave", "--yes")

    #expect(left.status == 0, "\(left)")
    #expect(left.standardError.contains("the edits of 1 snippet are missing"), "\(left)")
    let complete = try await phone("sync", "leave", "--yes")
    #expect(!complete.standardError.contains("missing"), "\(complete)")
  }

  @Test func `the browser shows what is not sent, where there is room`() async throws {
    _ = try await join()
    _ = try await laptop("add", "Eggs")

    let wide = try await laptop("browse", "--dump", "--size", "90x8")
    let header = try #require(wide.text.split(separator: "\n").first)
    #expect(
      header.wholeMatch(of: #/ .+ 1 unsent · up to date \d\d:\d\d  1/2/#) != nil,
      "\(wide)"
    )
    let narrow = try await laptop("browse", "--dump", "--size", "60x8")
    #expect(!narrow.text.contains("unsent"))
  }

  @Test func `a check names what is missing, and a repair sends it again`() async throws {
    _ = try await join()
    let intact = try await laptop("sync", "check", "--read")
    #expect(intact.status == 0, "\(intact)")
    #expect(intact.text.hasPrefix("Intact: 2 devices, 1 log file, 0 blobs ("))
    let log = try #require(try objects(below: "log").first)
    try FileManager.default.removeItem(at: log)

    let broken = try await laptop("sync", "check")
    #expect(broken.status == 1)
    #expect(broken.text.contains("of “laptop”: it is missing\n"))
    #expect(broken.standardError.contains("snip sync check --repair"))
    let json = try await phone("sync", "check", "--json")
    #expect(json.status == 1)
    #expect(json.text.contains(#""intact":false"#))
    let repair = try await laptop("sync", "check", "--repair")
    #expect(repair.status == 0 && repair.text.hasSuffix("\nMended 1 fault.\n"), "\(repair)")
    #expect(try await phone("sync", "check", "--read").status == 0)
  }

  @Test func `a repair sends what stood in the lost log of another device`() async throws {
    _ = try await join()
    let log = try #require(try objects(below: "log").first)
    try FileManager.default.removeItem(at: log)

    let broken = try await phone("sync", "check")
    let repair = try await phone("sync", "check", "--repair")

    let advice = "If that does not help, snip sync check --repair sends again what this store has."
    #expect(broken.standardError.contains(advice), "\(broken)")
    #expect(repair.status == 0 && repair.text.hasSuffix("\nMended 1 fault.\n"), "\(repair)")
    #expect(try await phone("sync", "check", "--read").status == 0)
    #expect(try await laptop("sync").status == 0)
    for device in [laptop, phone] {
      #expect(try await device("list", "--json").lines.count == 1)
    }
  }

  @Test func `a lost log that no device has received is given up with --yes`() async throws {
    _ = try await join()
    _ = try await laptop("add", "Eggs")
    _ = try await laptop("sync")
    let log = try #require(try objects(below: "log").max { $0.path < $1.path })
    try FileManager.default.removeItem(at: log)
    #expect(try await phone("sync").status == 1)

    let unasked = try await phone("sync", "check", "--repair")
    let given = try await phone("sync", "check", "--repair", "--yes")

    #expect(unasked.status == 1, "\(unasked)")
    #expect(
      unasked.standardError.hasSuffix(
        " If none has the log file, give up what is lost: snip sync check --repair --yes\n"
      ),
      "\(unasked)"
    )
    #expect(given.status == 0 && given.text.hasSuffix("\nMended 1 fault.\n"), "\(given)")
    #expect(try await phone("sync").status == 0)
    #expect(try await phone("list", "--json").lines.count == 1)
    // Its device was only away.
    #expect(try await laptop("sync").text == "Sent 2 snippets\n")
    #expect(try await phone("sync").text == "Received 1 snippet\n")
    for device in [laptop, phone] {
      #expect(try await device("sync", "check", "--read").status == 0)
      #expect(try await device("sync").text == "Up to date.\n")
    }
  }

  @Test func `a repair tells what it mended, and what to do about the rest`() async throws {
    _ = try await join()
    _ = try await laptop("add", "Eggs")
    _ = try await laptop("sync")
    let log = try #require(try objects(below: "log").max { $0.path < $1.path })
    let format = laptop.folder.appendingPathComponent("meeting/format")
    for object in [log, format] { try FileManager.default.removeItem(at: object) }

    let repair = try await phone("sync", "check", "--repair")

    #expect(repair.status == 1)
    #expect(repair.text.hasSuffix("\nMended 1 fault.\n"), "\(repair)")
    #expect(repair.standardError.hasPrefix("snip: the repository has 1 fault\n"), "\(repair)")
    let advice = " give up what is lost: snip sync check --repair --yes\n"
    #expect(repair.standardError.hasSuffix(advice), "\(repair)")
  }

  @Test func `a check names what is in the way of objects, and what to do`() async throws {
    _ = try await join()
    let file = laptop.folder.appendingPathComponent("meeting/thumb")
    try Data().write(to: file)

    for option in ["--read", "--repair"] {
      let check = try await laptop("sync", "check", option)
      #expect(check.status == 1)
      let fault = "Could not list thumb/: \(file.path) is no folder\n"
      #expect(check.text.hasPrefix(fault), "\(check)")
      #expect(
        check.standardError == """
          snip: the repository has 1 fault
          hint: Move it away. Then check again.

          """
      )
    }
  }

  @Test func `a snippet whose blob has not arrived is told of until it has`() async throws {
    _ = try await join()
    let picture = laptop.folder.appendingPathComponent("dot.png")
    try Samples.png.write(to: picture)
    #expect(try await laptop("add", "--file", picture.path).status == 0)
    #expect(try await laptop("sync").status == 0)
    let blob = try #require(try objects(below: "blob").first)
    let away = laptop.folder.appendingPathComponent("late")
    try FileManager.default.moveItem(at: blob, to: away)

    let late = try await phone("sync")
    #expect(late.status == 1, "\(late)")
    #expect(late.text.contains("1 snippet waits for a blob"), "\(late)")
    #expect(late.standardError.contains("its blob is not in the repository"), "\(late)")
    #expect(late.standardError.contains("mend it on “laptop”: snip sync check --read --repair."))
    let json = try await phone("sync", "--json")
    #expect(try json.json("held") == [1])
    #expect(try json.json("waiting") == [1])
    let status = try await phone("sync", "status")
    #expect(status.text.contains("waiting      1 snippet\n"), "\(status)")
    let check = try await phone("sync", "check")
    #expect(check.status == 1)
    #expect(check.standardError.contains("mend it on the device that sent it: "), "\(check)")
    #expect(!check.standardError.contains("what this store has"), "\(check)")
    #expect(try await laptop("sync", "check").standardError.contains("what this store has"))

    try FileManager.default.moveItem(at: away, to: blob)
    let arrived = try await phone("sync")
    #expect(arrived.status == 0, "\(arrived)")
    #expect(try await phone("list", "--json").lines.count == 2)
    #expect(try await phone("sync", "check").status == 0)
  }

  @Test func `a log file that has not arrived is told of until it has`() async throws {
    _ = try await join()
    _ = try await laptop("add", "Eggs")
    #expect(try await laptop("sync").status == 0)
    let last = try objects(below: "log").max { $0.path < $1.path }
    let log = try #require(last)
    let away = laptop.folder.appendingPathComponent("late")
    try FileManager.default.moveItem(at: log, to: away)

    let late = try await phone("sync")
    #expect(late.status == 1, "\(late)")
    #expect(!late.text.contains("Up to date"), "\(late)")
    #expect(late.standardError.contains("laptop: Could not receive log file 2: it has not arrived"))

    try FileManager.default.moveItem(at: away, to: log)
    let arrived = try await phone("sync")
    #expect(arrived.status == 0 && arrived.text == "Received 1 snippet\n", "\(arrived)")
  }

  @Test func `a check that reads all names the repair that does`() async throws {
    _ = try await join()
    let log = try #require(try objects(below: "log").first)
    var bytes = try Data(contentsOf: log)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: log)

    let broken = try await laptop("sync", "check", "--read")
    let repair = try await laptop("sync", "check", "--read", "--repair")

    #expect(broken.status == 1, "\(broken)")
    #expect(
      broken.standardError.contains("snip sync check --read --repair sends again"),
      "\(broken)"
    )
    #expect(repair.status == 0 && repair.text.hasSuffix("\nMended 1 fault.\n"), "\(repair)")
    #expect(try await phone("sync", "check", "--read").status == 0)
  }

  @Test func `log files that are missing together are counted as the one fault they are told as`()
    async throws
  {
    _ = try await join()
    for text in ["Eggs", "Bread"] {
      _ = try await laptop("add", text)
      _ = try await laptop("sync")
    }
    for log in try objects(below: "log") { try FileManager.default.removeItem(at: log) }

    let broken = try await laptop("sync", "check")
    #expect(broken.text.contains("and the log files after it, up to number 3, are missing"))
    #expect(broken.standardError.contains("the repository has 1 fault\n"), "\(broken)")
    let repair = try await laptop("sync", "check", "--repair")
    #expect(repair.status == 0 && repair.text.hasSuffix("\nMended 1 fault.\n"), "\(repair)")
    #expect(try objects(below: "log").count == 3)
  }

  private func objects(below folder: String) throws -> [URL] {
    let root = laptop.folder.appendingPathComponent("meeting/\(folder)")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
  }

  @Test func `a command line that makes no sense is refused`() async throws {
    for arguments in [
      ["join"], ["status", "place"], ["key", "--watch"], ["--read"], ["--forget"], ["nonsense"],
    ] {
      let output = try await laptop.run(["sync"] + arguments)
      #expect(output.status == 64, "\(output)")
    }
  }
}
