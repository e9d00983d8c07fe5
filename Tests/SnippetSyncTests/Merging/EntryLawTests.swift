import Foundation
import SnippetStorage
import Testing

@testable import SnippetSync

/// The laws of a semilattice, over all states of a small domain.
@Suite(.timeLimit(.minutes(30)))
struct EntryLawTests {
  private let states = SmallDomain.entries

  @Test func `merging two entries depends on no order`() {
    #expect(states.count == 315)
    for one in states {
      for other in states {
        let (there, back) = (Entry.merged([one, other]), Entry.merged([other, one]))
        guard there.entry == back.entry, Set(there.copies) == Set(back.copies) else {
          Issue.record("\(one) and \(other)")
          return
        }
      }
    }
  }

  @Test func `to merge an entry again changes nothing`() {
    for one in states {
      #expect(Entry.merged([one, one]).entry == one)
      for other in states {
        let merged = Entry.merged([one, other]).entry
        for part in [one, other] {
          guard Entry.merged([merged, part]).entry == merged else {
            Issue.record("\(one) and \(other)")
            return
          }
        }
      }
    }
  }

  @Test func `merging three entries depends on no grouping`() {
    // Of the product that an entry is, as much as three nested loops can walk.
    let some = SmallDomain.fewEntries
    #expect(some.count == 50)
    for one in some {
      for two in some {
        let pair = Entry.merged([one, two])
        for three in some {
          let all = Entry.merged([one, two, three])
          let grouped = Entry.merged([pair.entry, three])
          // In steps there may be a copy more: of a version that lost before another replaced it.
          let copies = Set(pair.copies + grouped.copies)
          guard grouped.entry == all.entry, copies.isSuperset(of: all.copies) else {
            Issue.record("\(one), \(two) and \(three)")
            return
          }
        }
      }
    }
  }

  @Test func `an entry stands for those that went into it, whatever they meet`() {
    for one in SmallDomain.fewEntries {
      for two in SmallDomain.fewEntries {
        let later = Entry.merged([one, two]).entry
        for other in SmallDomain.fewEntries {
          let (with, without) = (Entry.merged([one, later, other]), Entry.merged([later, other]))
          guard with.entry == without.entry, with.copies == without.copies else {
            Issue.record("\(one), \(two) and \(other)")
            return
          }
        }
      }
    }
  }

  @Test func `every version is in the outcome, replaced, or deleted by one who knew it`() {
    for one in states {
      for other in states {
        let (merged, copies) = Entry.merged([one, other])
        let kept = ([merged] + copies).compactMap(\.content.shown)
        for (entry, against) in [(one, other), (other, one)] {
          for (stamp, content) in entry.content.versions {
            // Only a device that forgot its identity gives one stamp to two.
            let isMet =
              against.content.known.knows(stamp) && against.content.versions[stamp] != content
            if !isMet, !kept.contains(where: { $0.hasBytes(of: content) }) {
              Issue.record("\(one) and \(other)")
              return
            }
          }
        }
      }
    }
  }

  @Test func `folding twins depends on no order, and to fold one again changes nothing`() {
    /// The fields that a fold gives to the twin that stays.
    func fields(_ entry: Entry) -> Entry {
      var entry = entry
      entry.content = states[0].content
      (entry.trash, entry.trashedVersions) = (states[0].trash, [:])
      return entry
    }
    func folded(_ one: Entry, _ other: Entry) -> Entry {
      var entry = one
      entry.fold(other, on: SmallDomain.devices[0])
      return entry
    }
    // A fold looks at no other fields.
    let some = states.filter { fields($0) == $0 }.flatMap(SmallDomain.withPinsAndDates)
    #expect(some.count == 108)
    for one in some {
      for other in some {
        let twin = folded(one, other)
        // Another device may have merged a later state of either first.
        let merged = Entry.merged([one, other]).entry
        guard fields(twin) == fields(folded(other, one)), folded(twin, other) == twin,
          fields(Entry.merged([twin, merged]).entry) == fields(twin)
        else {
          Issue.record("\(one) and \(other)")
          return
        }
      }
    }
  }

  @Test func `registers of one stamp agree on the greater value`() {
    let marks: [TagMark] = [.off, .on("A"), .on("a")]
    for one in marks {
      for other in marks {
        var there = Register(one, SmallDomain.stamps[0])
        var back = Register(other, SmallDomain.stamps[0])
        there.merge(Register(other, SmallDomain.stamps[0]))
        back.merge(Register(one, SmallDomain.stamps[0]))
        #expect(there == back)
      }
    }
  }
}

/// All entries of one snippet that two devices can make with two edits each.
private enum SmallDomain {
  static let devices = ["1", "2"].map { digit in
    DeviceID(rawValue: String(repeating: digit, count: 32)) ?? DeviceID()
  }
  /// Among them two of one moment.
  static let stamps = [
    Stamp(1, devices[0]), Stamp(2, devices[0]), Stamp(2, devices[1]), Stamp(3, devices[1]),
  ]

  /// All versions that may be left where some edits of each device are known, and one of which a device
  /// that forgot its identity has another text.
  private static let contents: [ContentVersions] = {
    let texts = ["one", "two", "three", "four"].map { SyncedContent.text($0, title: "of \($0)") }
    var contents: [ContentVersions] = []
    for here in [nil, 1, 2] as [Int64?] {
      for there in [nil, 2, 3] as [Int64?] {
        var known: KnownEdits = [:]
        (known[devices[0]], known[devices[1]]) = (here, there)
        let places = stamps.indices.filter { known.knows(stamps[$0]) }
        for choice in 0..<(1 << places.count) {
          var content = ContentVersions(known: known)
          for (bit, place) in places.enumerated() where choice >> bit & 1 == 1 {
            content.versions[stamps[place]] = texts[place]
          }
          contents.append(content)
        }
      }
    }
    return contents + [ContentVersions(.text("another"), stamps[2])]
  }()

  private static let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))

  private static let titles: [Register<TitleMark>] = [
    Register(.title("a"), stamps[0]), Register(.title("b"), stamps[2]),
    Register(.ofContent, stamps[0]), Register(.ofContent, Stamp.unedited(on: devices[1])),
  ]

  private static let trashes: [(Register<TrashMark>, KnownEdits)] = [
    (Register(.out, stamps[0]), [:]), (Register(.since(5), stamps[1]), [devices[0]: 1]),
    (Register(.since(6), stamps[3]), [devices[0]: 2, devices[1]: 2]),
  ]

  private static let tags: [[String: Register<TagMark>]] = [
    [:], ["red": Register(.on("Red"), stamps[1])], ["red": Register(.off, stamps[2])],
  ]

  /// Each content with each state of the trash, some of them with each title and tag.
  static let entries: [Entry] = contents.enumerated().flatMap { place, content in
    let isFull = place.isMultiple(of: 12)
    return (isFull ? titles : Array(titles.prefix(1))).flatMap { title in
      trashes.flatMap { trash in
        (isFull ? tags : Array(tags.prefix(1))).map { entry(content, title, trash, $0) }
      }
    }
  }

  /// Each content once, as much as three nested loops can walk.
  static let fewEntries: [Entry] = contents.enumerated().map { place, content in
    entry(content, titles[place % 4], trashes[place / 4 % 3], [:])
  }

  /// Returns an entry with each pin and date that a person gave, or an import made.
  static func withPinsAndDates(_ entry: Entry) -> [Entry] {
    let unedited = devices.map { Stamp.unedited(on: $0) }
    let pins: [Register<PinMark>] = [
      Register(.unpinned, unedited[0]), Register(.pinned, stamps[1]),
      Register(.unpinned, stamps[2]),
    ]
    let dates: [Register<Int64>] = [
      Register(1, stamps[0]), Register(2, unedited[0]), Register(3, unedited[1]),
    ]
    return pins.flatMap { pin in
      dates.map { date in
        var entry = entry
        (entry.pin, entry.createdAt) = (pin, date)
        return entry
      }
    }
  }

  private static func entry(
    _ content: ContentVersions,
    _ title: Register<TitleMark>,
    _ trash: (Register<TrashMark>, KnownEdits),
    _ tags: [String: Register<TagMark>]
  ) -> Entry {
    Entry(
      uuid: uuid,
      content: content,
      title: title,
      pin: Register(.unpinned, stamps[0]),
      createdAt: Register(1, stamps[0]),
      modifiedAt: Register(1, stamps[0]),
      tags: tags,
      trash: trash.0,
      trashedVersions: trash.1
    )
  }
}
