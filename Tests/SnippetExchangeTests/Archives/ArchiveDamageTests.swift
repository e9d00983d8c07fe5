import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Archives with a damaged part, which costs that part alone.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ArchiveDamageTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("downloads")
  }

  /// Four notes; each has a block with its head, and one with its text.
  private static let four = SampleArchive(
    (1...4).map { SampleArchive.Member("\($0).md", "note \($0)") }
  )

  private func importAll(
    _ bytes: Data,
    _ name: String = "a.tar"
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([tree.add(name, bytes)], .init())
  }

  private func titles() throws -> [String] {
    try store.list(order: .byTitle).rows(in: 0..<99).map(\.title)
  }

  /// The reasons of the failures of the archive itself.
  private func reasons(_ events: [ImportEvent], _ name: String = "a.tar") -> [String] {
    events.filter { $0.outcome == .failed && $0.file.path == tree.url.path + "/" + name }
      .compactMap(\.error?.reason)
  }

  // MARK: - Heads of a tar archive

  @Test(
    arguments: [0, 1, 3],
    // In its name, its size and its checksum.
    [6, 130, 150]
  )
  func `a member with a damaged head costs itself, and is named`(
    member: Int,
    place: Int
  ) async throws {
    for format in [SampleArchive.Format.tar, .gzip] {
      var tar = Self.four.bytes(.tar)
      tar[member * 1024 + place] ^= 1
      let name = "\(format)"

      let (report, events) = try await importAll(
        format == .tar ? tar : SampleArchive.gzip(tar),
        name
      )

      #expect(report[.imported] + report[.duplicate] == 3 && report[.failed] == 1, "\(events)")
      let end = "1024 bytes there belong to no member"
      let stand = member == 0 ? "at its start" : "behind its member \(member).md"
      #expect(reasons(events, name) == ["it is damaged \(stand): \(end)"])
    }
    #expect(try titles() == ["1", "2", "3", "4"].filter { $0 != "\(member + 1)" })
  }

  @Test func `a damaged head of a large member costs that alone`() async throws {
    var archive = Self.four
    let size = 300_000
    archive.members[1].bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) })
    // Among its bytes is a block of zeros, as at an end.
    archive.members[1].bytes.replaceSubrange(102_400..<104_448, with: Data(count: 2048))
    var tar = archive.bytes(.tar)
    tar[1030] ^= 1

    let (report, events) = try await importAll(tar)

    #expect(report[.imported] == 3 && report[.failed] == 1, "\(events)")
    #expect(try titles() == ["1", "3", "4"])
  }

  @Test func `a damaged head behind one with further properties costs its member`() async throws {
    let record = "16 comment=here\n"
    let archive = SampleArchive([
      .init("1.md", "note 1"), .init("extra", record, type: "x"), .init("2.md", "note 2"),
      .init("3.md", "note 3"),
    ])
    var tar = archive.bytes(.tar)
    // Behind a note of two blocks stand the head of the properties, these, and the head of the second.
    tar[4 * 512 + 6] ^= 1

    let (report, events) = try await importAll(tar)

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    #expect(try titles() == ["1", "3"])
  }

  @Test(arguments: [1, 2, 3])
  func `zeros in the place of blocks cost what they replace`(count: Int) async throws {
    var tar = Self.four.bytes(.tar)
    tar.replaceSubrange(1024..<1024 + count * 512, with: Data(count: count * 512))

    let (report, events) = try await importAll(tar)

    #expect(report[.imported] == (count == 3 ? 2 : 3), "\(events)")
    #expect(reasons(events).count == 1, "\(events)")
    #expect(reasons(events).first?.contains("behind its member 1.md") == true, "\(events)")
    #expect(try titles().last == "4")
  }

  @Test func `a member that is missing because of damage does not go to the trash`() async throws {
    let url = try tree.add("a.tar", Self.four.bytes(.tar))
    try await store.importAll([url], .init())
    var tar = Self.four.bytes(.tar)
    tar[1030] ^= 1
    try tree.add("a.tar", tar)

    let report = try await store.importAll([url], .init(movesMissingToTrash: true)).report

    #expect(report[.trashed] == 0 && report[.failed] == 1, "\(report)")
  }

  @Test(arguments: [2048, 2148, 511, 2])
  func `bytes behind the end of a tar archive are named`(count: Int) async throws {
    let junk = Data(repeating: UInt8(ascii: "j"), count: count)

    let (report, events) = try await importAll(Self.four.bytes(.tar) + junk)

    #expect(report[.imported] == 4 && report[.failed] == 0, "\(events)")
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason
    #expect(reason == "\(count) bytes behind its end belong to no member")
  }

  @Test func `zeros behind the end of a tar archive are padding`() async throws {
    let (report, events) = try await importAll(Self.four.bytes(.tar) + Data(count: 100))

    #expect(report[.imported] == 4 && report[.leftOut] == 0, "\(events)")
  }

  @Test func `a member without a name is named`() async throws {
    let archive = SampleArchive([
      .init("", "lost"), .init("./", Data(), type: "5"), .init("b", "b"),
    ])

    let (report, events) = try await importAll(archive.bytes(.tar))

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason
    #expect(reason == "one of its members has no name")
  }

  @Test func `a member whose further properties are damaged is named`() async throws {
    let archive = SampleArchive([
      .init("extra", "99 path=real.md\n", type: "x"), .init("1.md", "note 1"),
    ])

    let (report, events) = try await importAll(archive.bytes(.tar))

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
    let told = try #require(events.first { $0.outcome == .leftOut })
    #expect(told.file.path == tree.url.path + "/a.tar/1.md")
    #expect(told.error?.reason.contains("so its name, date or content may be another") == true)
  }

  // MARK: - Compressed bytes

  @Test(arguments: 1...8)
  func `of a compressed archive that lacks its last bytes, all members are imported`(
    count: Int
  ) async throws {
    let (report, events) = try await importAll(Self.four.bytes(.gzip).dropLast(count), "a.tgz")

    #expect(report[.imported] == 4 && report[.failed] == 1, "\(events)")
    #expect(
      reasons(events, "a.tgz") == [
        "it is cut short or damaged after 4 of its members: its compressed bytes end too early"
      ]
    )
  }

  @Test func `of a compressed archive that is cut, what stands before the cut is imported`()
    async throws
  {
    // Within the text of the third.
    let cut = Self.four.bytes(.gzip).prefix(15 + 5 * 512 + 3)

    let (report, events) = try await importAll(cut, "a.tgz")

    #expect(report[.imported] == 2 && report[.failed] == 2, "\(events)")
    #expect(try titles() == ["1", "2"])
  }

  // The last eight bytes are the checksum and the size.
  @Test(arguments: [8, 4])
  func `a compressed archive that does not match its checksum is named`(place: Int) async throws {
    var bytes = Self.four.bytes(.gzip)
    bytes[bytes.count - place] ^= 1

    let (report, events) = try await importAll(bytes, "a.tgz")

    #expect(report[.imported] == 4 && report[.failed] == 1, "\(events)")
    #expect(reasons(events, "a.tgz").first?.contains("do not match their checksum") == true)
  }

  @Test(arguments: [8, 4])
  func `pieces behind one that does not match its checksum are read`(place: Int) async throws {
    let tar = Self.four.bytes(.tar)
    var first = SampleArchive.gzip(tar.prefix(1700))
    first[first.count - place] ^= 1

    let (report, events) = try await importAll(
      first + SampleArchive.gzip(Data(tar.dropFirst(1700))),
      "a.tgz"
    )

    #expect(report[.imported] == 4 && report[.failed] == 1, "\(events)")
    #expect(reasons(events, "a.tgz").first?.contains("do not match their checksum") == true)
  }

  @Test func `bytes by bzip2 that are damaged are no unsupported file`() async throws {
    // The first block says which checksum it has, and has none of its bytes.
    let bytes = Data("BZh91AY&SY".utf8) + Data(repeating: 0xA5, count: 400)

    let (report, events) = try await importAll(bytes, "a.tbz")

    #expect(report[.failed] == 1 && report[.unsupported] == 0, "\(events)")
    #expect(reasons(events, "a.tbz").first?.contains("cut short or damaged") == true, "\(events)")
  }

  // Of 596 bytes; the second note ends before the 340th, and the fourth before the 560th.
  @Test(arguments: [(340, 2, 1), (400, 2, 2), (560, 4, 1), (595, 4, 1), (596, 4, 0)])
  func `of an archive by xz that is cut, what stands before the cut is imported`(
    count: Int,
    imported: Int,
    failed: Int
  ) async throws {
    let bytes = try #require(Data(base64Encoded: Self.fourByXZ, options: .ignoreUnknownCharacters))

    let (report, events) = try await importAll(bytes.prefix(count), "a.txz")

    #expect(report[.imported] == imported && report[.failed] == failed, "\(events)")
    #expect(try titles() == Array(["1", "2", "3", "4"].prefix(imported)))
    if failed > 0 {
      #expect(reasons(events, "a.txz").first?.contains("bytes end too early") == true, "\(events)")
    }
  }

  // They unpack whole blocks, and only their checksums are cut.
  @Test(arguments: [fourByBzip2, fourByZstandard])
  func `of an archive by bzip2 or Zstandard that lacks its last bytes, all members are imported`(
    archive: String
  ) async throws {
    let bytes = try #require(Data(base64Encoded: archive, options: .ignoreUnknownCharacters))

    let (report, events) = try await importAll(bytes.dropLast(3), "a.tar.packed")

    #expect(report[.imported] == 4 && report[.failed] == 1, "\(events)")
    #expect(reasons(events, "a.tar.packed").first?.contains("bytes end too early") == true)
    let whole = try await importAll(bytes, "a.tar.packed").report
    #expect(whole[.failed] == 0, "\(whole)")
  }

  @Test func `a text that begins as bzip2 does is a text`() async throws {
    #expect(try await importAll(Data("BZhello, it is a text".utf8), "a").report[.imported] == 1)
  }

  private static let fourByBzip2 = """
    QlpoOTFBWSZTWbwTdeQAAKXbkMwAQAF/hAAEf///8AQAAAhAAjws6UINSepoGgADCAaACKqf4ADRqeiYUUA09RiFVH4y
    Gqn6mTemmmk1QAAAqpqMoTaJhGJ6Q/VPKek9TQUPI/pWETM8eUy/UJS3b+HHIuKECZQ2GklKCSC87VrwzxYw69eOvl3+
    cNm3Lvo+sKeNM76bt9vMwIEuhASyLDIgKkyl8yztkay23QXF0k5+FSNpCmosLDSRUuCIA4DgCADmMbpa71bpalRZWxs1
    7AIj6aMRTR7V412anO9exq9rxjj49RLDBSjTwQOKkAL5eLTN0kiZ8hDhABQ2TiGdUBXBvKqHBy3wPateJbv0bpPLx3AO
    0scqSFI2FNHK9d6PGWM7ryxvnaU5RDl+ENZoB5WGCK76Iy7Ci4feQ23WGyKD3VQ3sj1qh9rc/W8T2oZzaNXzRBMGOd3Q
    qxxKUpViqopF2otbTmUItJqkvKsWUjfUnPCn653dbJDc1LIJ20ui6PEEnEdpa6aLmw/znJELyy8D7snpTLD4SATy7bY4
    bGjxJ2vLdS6Uw6CvE73Be0AvzGHK3KgIeuNjwIBzvrqD+UTZkXncc0WS32tYliefN9m+G1rAGQOUKAGc7AKIFLoalbjW
    wOccSJ48rg2UZqSirjkoxMn+gC+UNv0it4TGEo50jR7WXTfCbK5m4vwHRn0lVo7FM0DI1mRwDDDWL1HcerUhtCmr5srH
    xw1pdYi2gwwIYxWs4b854Lxc7s/xdyRThQkLwTdeQA==
    """

  private static let fourByZstandard = """
    KLUv/WQAE/0PAGZpcBlwSR6wSa09opu0rxQe+P88FFBFAgCoyokBbwBnAGYA9yTZtTzCsTF3QNKYJap0/e9V35m5WZVK
    EiX7Mgq1Y8Rbqp0mhWl5d7qJEISelMgct9tt5ZIlRTywFc9Ol1ncx8SYluvBrJI8YCSfEwAgkXECBAwwGBIJxCFxIBQE
    iYNhADgUCAIBwGBACACnBQYB7KDTYH+KLnXhk9hzea1XPStaIfNbaKzsHodhBjwM9abXz4bcDmrv6pet/4yWD7kriLk+
    7pgoWpR4/VFmQW4+xUzaojQoTbH9Xi2a5mhfTDgQANQNrGohJo2VjCvOjmvjeVcZzGCPi/6+iFPvVknZrdX3L5xrcS4E
    ZVynEcrMSJQ+NtnoMTgjO4eYeVwG9OMSFga5HqcaI6wWKRpJG3uuwPS9DipdfKmz6S16yhc7EavmhdIdNeKV7Sy1pjoX
    EIVnnNpAxmKvNjPHlk3FAkmaPlzLRq86qoenLA6f8rUZZxeh5jCsCmvKAaNDcD2s38j/To/uVsJuLj9PlrZv/HPWGqU7
    riMJ0kMfVKSgyJYy9ohhXa4K3dElx8ppvHx3i9QX5fhCQfikMTrYkDAUL56khzwKFCBALS1sNf0rgAGrChqVVVACA6YK
    WpVVUAIDRhU0UFllgJTwfKUKSVEBXgT4tWRATrkFsBAwaIDxpN4EpIQd
    """

  /// Four notes in a tar archive, with 150 characters each by chance.
  private static let fourByXZ = """
    /Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4BP/AhJdABiLiibWdyY3JX/ugqGib284K9jVgxRveBf5eDVVhQQouue8o2e3
    QfWKCr2EdyvABUD/VHBQ8nIEHwEoogS7e+9LkNSIlciqV5e+KXLWG1gIMoBydOECd16l8xKJYYFQx67Yg2yGtQ+//WVJ
    jwdAl9KryUgHfvyLqSbmMKX4DNIdaMlF4jCsol9LgbcavStmtUGQBPgAcxbeKzvE6jRH4OUh/R0w8Uq+uUqRvg7UkCXR
    4UtkBFkk6yuDmXzeyobqNE0ZVifTLYupsFH8uVuWeQP9JGpzkaVP3HYvJQzvdsZvxb589/ulzeh9/UZEKkBgJeyfXu2F
    WgpImGDyDiESJEKE3Jiq/yRn6K9pe0nL9WHn17r9gRuByGAdfDF3QwCvGli01/bucnd73quIsM8twBUy4gqn3n+a2AUK
    unQvlgjaWSHH8HfLl3F7zUPky1amVXeJZAkwyAY+MrkmHf6GyIidcGQiRb+z19zvWTt6vJAaKvJeLVfbaNUjbIOXh4V7
    1waRGpJRpXaxmD8CbqFG2bP+doBbDQg3RUREgzrj7Ji+t5QPjTplf5W+OWe2epGApK/Uc0PpdmV5leJRAvkmIfX6bQ/s
    Frnpqo7hdnmTf/3zIbsIRtc6ImxWweU4m+2RLse0q76hZ/EwRkuF4sqKSXfz2qFU2Pc2w2qNTYNrdeOLCqf9gaoFhWfx
    l+W4y3egtqAAAAAA+XGrmqJ/lC8AAa4EgCgAAOCjxM6xxGf7AgAAAAAEWVo=
    """

  @Test func `zeros that unpack to more than an archive may hold end it`() throws {
    let bytes = SampleArchive.gzip(Self.four.bytes(.tar) + Data(count: 1 << 20))
    let url = try tree.add("a.tgz", bytes)
    let limits = ArchiveUnpacking.Limits(memberCount: 10, ratio: 0, freeByteCount: 1 << 19)

    var roots = try ImportRoots(unpacking: [url], limits: limits) {}
    defer { roots.remove() }

    #expect(!roots.all[0].isComplete)
  }

  // MARK: - Names and dates

  @Test func `a path that goes up and stays inside of its archive is none that leads out`()
    async throws
  {
    let archive = SampleArchive([.init("x/../n.md", "note"), .init("a/b/../c/d.md", "other")])

    let (report, events) = try await importAll(archive.bytes(.tar))

    #expect(report[.imported] == 2 && report[.leftOut] == 0, "\(events)")
    let place = tree.url.path + "/a.tar"
    #expect(Set(events.map(\.file.path)) == [place + "/n.md", place + "/a/c/d.md"])
  }

  @Test(arguments: [SampleArchive.Format.tar, .zip])
  func `a member with a date in the future has that of the archive`(
    format: SampleArchive.Format
  ) async throws {
    var archive = SampleArchive([.init("a.md", "text")])
    // In the year 2100.
    archive.date = 4_102_444_800
    let url = try tree.add("a", archive.bytes(format))
    let written = Date(timeIntervalSince1970: 1_600_000_000)
    try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: url.path)

    #expect(try await store.importAll([url], .init()).report[.imported] == 1)

    #expect(try store.list().row(at: 0)?.createdAt == written)
  }
}
