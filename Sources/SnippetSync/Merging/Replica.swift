import Foundation

/// The snippets of one device and what their entries are, within one transaction.
protocol Replica {
  /// This device.
  var device: DeviceID { get }
  /// Milliseconds since 1970.
  var now: Int64 { get }

  /// Finds a snippet as the store has it.
  func row(_ uuid: UUID) throws -> CapturedRow?
  /// Finds the entry of a snippet, as it was captured or merged last.
  func known(_ uuid: UUID) throws -> KnownEntry?
  /// Keeps an entry.
  mutating func keep(_ known: KnownEntry) throws
  /// Forgets an entry that no other device has.
  mutating func forget(_ uuid: UUID) throws
  /// Makes the store show an entry: inserts, changes or deletes its snippet.
  mutating func show(_ entry: Entry) throws
  /// Gives the files of a twin that goes to the one that stays.
  func handOverFiles(of gone: UUID, to kept: UUID) throws
  /// Finds the other snippets with the bytes of an entry.
  func equals(of entry: Entry) throws -> [UUID]
  /// Whether entries of a snippet have come that are still to be merged.
  func isAwaited(_ uuid: UUID) throws -> Bool
}

/// An entry as this device keeps it.
struct KnownEntry: Hashable, Sendable {
  var entry: Entry
  /// Whether a log names the snippet, so that other devices may know it.
  var isPublished = false
  /// Whether the entry must be sent.
  var isPending = false
}

/// The snippets that a merge changed, as a person hears of them.
struct MergeOutcome: Hashable, Sendable {
  /// Snippets that other devices added or changed.
  var received: Set<UUID> = []
  /// Snippets that other devices deleted for good or moved to the trash.
  var removed: Set<UUID> = []
  /// Conflict copies that were made.
  var conflicts: Set<UUID> = []
  /// Snippets that came back, since another device edited what had been deleted here.
  var revived: Set<UUID> = []
  /// Snippets that became one with a twin.
  var folded: Set<UUID> = []
  /// Snippets that the store refused, with the reasons.
  var refused: [UUID: String] = [:]
}

extension Replica {
  /// Adds to the entry of a snippet what has been edited on this device.
  ///
  /// - Returns: The entry, `nil` if there is neither a snippet nor an entry that others know; and
  ///   whether it was kept anew.
  @discardableResult
  mutating func capture(_ uuid: UUID) throws -> (known: KnownEntry?, isKept: Bool) {
    let row = try row(uuid)
    guard var known = try known(uuid) else {
      guard let row else { return (nil, false) }
      let new = KnownEntry(entry: Entry(of: row, on: device, now: now), isPending: true)
      try keep(new)
      return (new, true)
    }
    let hadCopied = known.entry.hasCopied
    if let row {
      guard known.entry.capture(row, on: device, now: now) else { return (known, false) }
    } else if !known.isPublished {
      try forget(uuid)
      return (nil, false)
    } else {
      guard known.entry.captureDeletion() else { return (known, false) }
    }
    known.isPending = true
    try keep(known)
    if hadCopied, !known.entry.hasCopied, let copied = known.entry.copied {
      try captureEnd(ofCopyOf: copied)
    }
    return (known, true)
  }

  /// Adds to the entry of a snippet that a conflict copy has been edited or deleted on this device.
  private mutating func captureEnd(ofCopyOf copied: CopiedVersion) throws {
    guard var known = try capture(copied.uuid).known,
      known.entry.captureEnd(ofCopyOf: copied.stamp, on: device)
    else { return }
    known.isPending = true
    try keep(known)
  }

  /// Merges entries of other devices into a snippet of this one.
  ///
  /// It captures the snippet first, so that an edit of a moment ago is not lost.
  ///
  /// - Parameters:
  ///   - entries: All entries of the snippet that have come, in any order: merged one after the
  ///     other, they could show more conflicts.
  ///   - uuid: The snippet.
  ///   - outcome: Gets what the merge changed.
  /// - Throws: The error of the store.
  mutating func merge(
    _ entries: [Entry],
    of uuid: UUID,
    into outcome: inout MergeOutcome
  ) throws {
    var former = try capture(uuid).known
    var (entry, copies) = Entry.merged([former?.entry].compactMap(\.self) + entries)
    // What was done to a copy a moment ago may be an edit of this snippet, also to one of a version that
    // the snippet shows from now on. One that is new here, as most are, has none.
    let isNew = former == nil && entry.content.versions.count == 1 && copies.isEmpty
    let affected = isNew ? [] : entry.copyUUIDs + (former?.entry.copyUUIDs ?? [])
    if !affected.isEmpty {
      for copy in Set(affected).sorted(by: { $0.uuidString < $1.uuidString }) { try capture(copy) }
      former = try self.known(uuid)
      (entry, copies) = Entry.merged([former?.entry].compactMap(\.self) + entries)
    }
    var isPending = former?.isPending ?? false
    // First the copies: the content of one may be in the store only as long as the row has it.
    for copy in copies {
      let kept = try add(copy, into: &outcome)
      if entry.dropVersion(ofEnded: kept) { isPending = true }
    }
    let known = KnownEntry(entry: entry, isPublished: true, isPending: isPending)
    if former.map({ !$0.entry.showsSame(as: entry) }) ?? !entry.isDeleted {
      try show(entry)
      outcome.note(entry, after: former?.entry)
    }
    if known != former { try keep(known) }
    try dropVersion(ofEnded: entry)
    try foldTwins(of: known, into: &outcome)
  }

  /// Lets the version of a conflict copy go that has ended on another device, if that could not tell its
  /// snippet: one of an older version of this package, or one that has not received the snippet.
  private mutating func dropVersion(ofEnded copy: Entry) throws {
    guard !copy.hasCopied, let copied = copy.copied, var known = try capture(copied.uuid).known,
      known.entry.dropVersion(ofEnded: copy)
    else { return }
    known.isPending = true
    try keep(known)
  }

  /// Adds a conflict copy, unless another device's has come already, and returns its entry.
  @discardableResult
  private mutating func add(
    _ copy: Entry,
    into outcome: inout MergeOutcome
  ) throws -> Entry {
    let former = try capture(copy.uuid).known
    let (entry, _) = Entry.merged([former?.entry, copy].compactMap(\.self))
    guard entry != former?.entry else { return entry }
    if former.map({ !$0.entry.showsSame(as: entry) }) ?? true { try show(entry) }
    // Others make the same one, so it must not go without a word.
    try keep(KnownEntry(entry: entry, isPublished: true, isPending: true))
    if !entry.isDeleted { outcome.conflicts.insert(copy.uuid) }
    return entry
  }

  /// Makes one snippet of those that two devices have made of one file.
  private mutating func foldTwins(
    of own: KnownEntry,
    into outcome: inout MergeOutcome
  ) throws {
    guard !own.entry.isDeleted else { return }
    for other in try equals(of: own.entry) {
      guard let first = try known(own.entry.uuid), !first.entry.isDeleted else { return }
      // A twin whose own entries come next is folded with them, unless they delete it: its note and its
      // tags would outlive that here.
      guard let second = try capture(other).known, first.entry.isTwin(of: second.entry),
        try !isAwaited(other)
      else { continue }
      // One that no log names can go without a trace.
      let keepsFirst =
        first.isPublished == second.isPublished
        ? first.entry.uuid.uuidString < second.entry.uuid.uuidString : first.isPublished
      var (kept, dropped) = keepsFirst ? (first, second) : (second, first)
      let former = kept
      kept.entry.fold(dropped.entry, on: device)
      if kept != former {
        kept.isPending = true
        for copy in kept.entry.noteCopies { try add(copy, into: &outcome) }
        if !kept.entry.showsSame(as: former.entry) { try show(kept.entry) }
        try keep(kept)
      }
      var gone = dropped.entry
      gone.captureDeletion()
      try handOverFiles(of: gone.uuid, to: kept.entry.uuid)
      try show(gone)
      if dropped.isPublished {
        (dropped.entry, dropped.isPending) = (gone, true)
        try keep(dropped)
      } else {
        try forget(gone.uuid)
      }
      outcome.folded.insert(gone.uuid)
    }
  }
}

extension Entry {
  /// Whether a conflict copy has the version still that it was made of.
  fileprivate var hasCopied: Bool {
    copied.map { content.versions[$0.stamp] != nil } ?? false
  }

  /// Lets the version of a conflict copy go that was edited or deleted, and returns whether there was one.
  ///
  /// One that the snippet shows stays, and so does one that may hold a text of its note: who ended the copy
  /// has to tell what becomes of those.
  fileprivate mutating func dropVersion(ofEnded copy: Entry) -> Bool {
    guard let copied = copy.copied, copied.uuid == uuid, !copy.hasCopied,
      content.versions[copied.stamp] != nil, content.last != copied.stamp,
      !note.texts.keys.contains(where: { $0.device == copied.stamp.device })
    else { return false }
    content.drop(copied.stamp)
    return true
  }
}

extension MergeOutcome {
  fileprivate mutating func note(_ entry: Entry, after former: Entry?) {
    switch (former.map { !$0.isGone } ?? false, !entry.isGone) {
    case (true, false): removed.insert(entry.uuid)
    case (false, true) where former != nil: revived.insert(entry.uuid)
    case (_, true): received.insert(entry.uuid)
    // A snippet in the trash that stays there.
    case (false, false): break
    }
  }
}
