import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// A store as a replica, within one transaction.
final class StoreReplica: Replica {
  let device: DeviceID
  let now: Int64
  private(set) var outcome = MergeOutcome()
  /// The entries that the store refused.
  private(set) var refused: Set<UnreadEntry.Identity> = []
  private let db: Database
  private let writer: EntryWriter
  private var coding: EntryCoding
  private var deviceCount: Int
  /// The snippets of this transaction, also those that it has deleted.
  private var ids: [UUID: SnippetID] = [:]
  /// Whether snippets are in the store now, as far as that has been looked up.
  private var present: [UUID: SnippetID?] = [:]
  /// Whether there may be entries of snippets that are deleted for good; a first synchronization has
  /// none.
  private var hasAbsent: Bool
  /// The devices of contents for which no snippet of another device was found when they came last.
  private var devicesWithoutTwins: [SyncedContent.Body: DeviceID] = [:]
  /// The snippets that this transaction has merged; their entries are let go at its end.
  private var merged: Set<UUID> = []
  /// The snippet that is being captured, if it has no entry yet.
  private var idWithoutEntry: SnippetID?

  /// Begins with what the store holds.
  ///
  /// - Parameters:
  ///   - device: This device.
  ///   - now: Milliseconds since 1970.
  ///   - blobs: The blobs that have come from the repository, by their hashes.
  ///   - db: The connection, in a transaction.
  /// - Throws: The error of the database.
  init(_ device: DeviceID, now: Int64, blobs: [Data: PreparedBlob] = [:], in db: Database) throws {
    self.device = device
    self.now = now
    self.db = db
    writer = EntryWriter(db: db, blobs: blobs)
    let devices = try KnownDevice.all(in: db)
    coding = EntryCoding(
      devices: DeviceTable(numbered: devices.map { (Int($0.number), $0.device) })
    )
    deviceCount = devices.count
    hasAbsent = try db.number("SELECT EXISTS (SELECT 1 FROM sync_absent)") != 0
  }

  // MARK: - Merging

  /// Merges entries of other devices.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - leavesOutRefused: Whether an entry that the schema refuses is left out. It takes a
  ///     savepoint for each snippet; without them an error is that of the whole transaction.
  /// - Throws: The error of the database.
  func mergeAll(_ entries: [ReceivedEntry], leavingOutRefused leavesOutRefused: Bool) throws {
    let groups = Dictionary(grouping: entries, by: \.entry.uuid)
    for (uuid, entries) in groups.sorted(by: { $0.key.words < $1.key.words }) {
      guard leavesOutRefused else {
        try merge(entries, of: uuid)
        continue
      }
      guard try refusal(of: entries, uuid) != nil else { continue }
      // The devices do not wait for each other.
      for entry in entries {
        guard let reason = try refusal(of: [entry], uuid) else { continue }
        outcome.refused[uuid] = reason
        refused.insert(entry.source.identity)
      }
    }
  }

  private func merge(_ entries: [ReceivedEntry], of uuid: UUID) throws {
    merged.insert(uuid)
    var replica = self
    try replica.merge(entries.map(\.entry), of: uuid, into: &outcome)
  }

  /// Merges entries, and returns the reason if the schema refuses the result.
  private func refusal(of entries: [ReceivedEntry], _ uuid: UUID) throws -> String? {
    let former = (ids, outcome)
    do {
      try db.savepoint { try merge(entries, of: uuid) }
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // What it added went with the savepoint.
      (ids, outcome) = former
      present = [:]
      deviceCount = Int(try db.number("SELECT count(*) FROM sync_device") ?? 0)
      return error.message ?? "the schema refuses it"
    }
  }

  // MARK: - After a restore

  /// Keeps entries of other devices, and leaves the snippets as they are.
  func keep(_ entries: [Entry]) throws {
    for entry in entries {
      let former = try known(entry.uuid)
      var merged = Entry.merged([former?.entry, entry].compactMap(\.self)).entry
      // No copy is made of other versions, here or elsewhere.
      let others = merged.content.versions.keys.filter { $0 != merged.content.last }
      for stamp in others { merged.content.drop(stamp) }
      let isPending = !others.isEmpty || former?.isPending ?? false
      try keep(KnownEntry(entry: merged, isPublished: true, isPending: isPending))
    }
  }

  /// Deletes for good, on all devices, what the entries have and the store has not.
  func deleteAbsent() throws {
    let absent = try db.values("SELECT uuid FROM sync_absent") { try $0.uuid(0) }
    for uuid in absent {
      guard var known = try known(uuid), known.entry.captureDeletion() else { continue }
      known.isPending = true
      try keep(known)
    }
  }

  // MARK: - Before a purge

  /// Erases the notes of snippets that are deleted for good.
  ///
  /// A deletion erases the texts that were known there. Others came with the entries of other devices.
  func eraseAbsentNotes() throws {
    let absent = try db.values(
      #"SELECT uuid FROM sync_absent WHERE instr(entry, '"texts":[[') > 0"#
    ) { try $0.uuid(0) }
    for uuid in absent {
      guard var known = try known(uuid) else { continue }
      known.entry.note.texts = [:]
      known.isPending = true
      try keep(known)
    }
  }

  /// Erases texts that notes have no room for, where the copies that were made for them are deleted for
  /// good: no note shows them.
  func eraseHiddenNotes() throws {
    guard hasAbsent else { return }
    let rows = try db.values(
      """
      SELECT snippet.uuid FROM snippet JOIN sync_row ON snippet_id = snippet.id
      WHERE kind <> 1 AND length(CAST(entry AS BLOB)) > ?
      """,
      [TextRules.maximumTextByteCount.databaseValue]
    ) { try $0.uuid(0) }
    for uuid in rows {
      guard var known = try known(uuid) else { continue }
      let texts = known.entry.note.texts
      for copy in known.entry.noteCopies {
        guard let kept = try self.known(copy.uuid), kept.entry.isDeleted else { continue }
        let hidden = Set(copy.note.texts.values)
        known.entry.note.texts = known.entry.note.texts.filter { !hidden.contains($0.value) }
      }
      guard known.entry.note.texts != texts else { continue }
      known.isPending = true
      try keep(known)
    }
  }

  // MARK: - Capturing

  /// Captures snippets, which may also be unchanged, or gone.
  func capture(_ ids: some Sequence<Int64>) throws {
    for id in ids { try capture(SnippetID(rawValue: id)) }
  }

  private func capture(_ id: SnippetID) throws {
    let found = try db.value(
      """
      SELECT uuid, revision, (SELECT revision FROM sync_row WHERE snippet_id = ?1)
      FROM snippet WHERE id = ?1
      UNION ALL SELECT uuid, NULL, revision FROM sync_row WHERE snippet_id = ?1 LIMIT 1
      """,
      [id.rawValue.databaseValue]
    ) { row in
      (uuid: try row.uuid(0), now: try row.optionalNumber(1), kept: try row.optionalNumber(2))
    }
    // One that came and went leaves nothing.
    guard let (uuid, now, kept) = found else { return }
    ids[uuid] = id
    guard now == nil || now != kept else { return }
    if now != nil { present.updateValue(id, forKey: uuid) }
    idWithoutEntry = kept == nil ? id : nil
    defer { idWithoutEntry = nil }
    var replica = self
    // With the entry the present revision is kept.
    guard try !replica.capture(uuid).isKept else { return }
    try db.run(
      """
      UPDATE sync_row SET revision = (SELECT revision FROM snippet WHERE id = snippet_id)
      WHERE snippet_id = ? AND EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
      """,
      [id.rawValue.databaseValue]
    )
  }

  // MARK: - The rows and the entries

  func row(_ uuid: UUID) throws -> CapturedRow? {
    try id(of: uuid).flatMap { try CapturedRow($0, in: db) }
  }

  func known(_ uuid: UUID) throws -> KnownEntry? {
    if let id = try id(of: uuid), id != idWithoutEntry {
      let known = try db.value(
        "SELECT entry, published, pending FROM sync_row WHERE snippet_id = ?",
        [id.rawValue.databaseValue]
      ) { row in
        KnownEntry(
          entry: try coding.entry(row.text(0)),
          isPublished: try row.number(1) != 0,
          isPending: try row.number(2) != 0
        )
      }
      if let known { return known }
    }
    guard hasAbsent else { return nil }
    return try db.value(
      "SELECT entry, pending FROM sync_absent WHERE uuid = ?",
      [uuid.bytes.databaseValue]
    ) { row in
      KnownEntry(
        entry: try coding.entry(row.text(0)),
        isPublished: true,
        isPending: try row.number(1) != 0
      )
    }
  }

  func keep(_ known: KnownEntry) throws {
    let entry = String(decoding: coding.encode(known.entry), as: UTF8.self)
    try saveDevices()
    let uuid = known.entry.uuid
    if let id = try presentID(of: uuid) {
      try db.run(
        """
        INSERT INTO sync_row (snippet_id, uuid, revision, published, pending, entry)
        SELECT id, uuid, revision, ?, ?, ? FROM snippet WHERE id = ?
        ON CONFLICT (snippet_id) DO UPDATE SET revision = excluded.revision,
          published = excluded.published, pending = excluded.pending, entry = excluded.entry
        """,
        [
          known.isPublished.databaseValue, known.isPending.databaseValue, entry.databaseValue,
          id.rawValue.databaseValue,
        ]
      )
      return try forgetAbsent(uuid)
    }
    try forget(uuid)
    hasAbsent = true
    try db.run(
      "INSERT INTO sync_absent (uuid, pending, entry) VALUES (?, ?, ?)",
      [uuid.bytes.databaseValue, known.isPending.databaseValue, entry.databaseValue]
    )
  }

  func forget(_ uuid: UUID) throws {
    if let id = ids[uuid] {
      try db.run("DELETE FROM sync_row WHERE snippet_id = ?", [id.rawValue.databaseValue])
    }
    try forgetAbsent(uuid)
  }

  private func forgetAbsent(_ uuid: UUID) throws {
    guard hasAbsent else { return }
    try db.run("DELETE FROM sync_absent WHERE uuid = ?", [uuid.bytes.databaseValue])
  }

  func show(_ entry: Entry) throws {
    let id = try writer.write(entry, over: try presentID(of: entry.uuid))
    present.updateValue(id, forKey: entry.uuid)
    guard let id else { return }
    let former = ids[entry.uuid] ?? id
    ids[entry.uuid] = former
    // Inserted with another number, where its kind is another.
    if former != id {
      try db.run("DELETE FROM sync_row WHERE snippet_id = ?", [former.rawValue.databaseValue])
    }
  }

  func handOverFiles(of gone: UUID, to kept: UUID) throws {
    guard let gone = try presentID(of: gone), let kept = try presentID(of: kept) else { return }
    try db.run(
      "UPDATE origin SET snippet_id = ? WHERE snippet_id = ?",
      [kept.rawValue.databaseValue, gone.rawValue.databaseValue]
    )
  }

  func equals(of entry: Entry) throws -> [UUID] {
    guard let content = entry.content.shown, let device = entry.maker else { return [] }
    // Only texts of files are twins.
    if case .text = content.body, content.file == nil { return [] }
    // Contents of one device are no twins, and a person may have added one a thousand times. That of
    // another device that comes in between is looked up itself, and found to have these for twins.
    guard devicesWithoutTwins[content.body] != device else { return [] }
    let found = try uuids(with: content, besides: entry.uuid, of: device)
    devicesWithoutTwins[content.body] = found.isEmpty ? device : nil
    return found
  }

  func isAwaited(_ uuid: UUID) throws -> Bool {
    try !merged.contains(uuid) && !UnreadEntry.waiting(of: uuid, in: db).isEmpty
  }

  /// Finds the other snippets with some bytes that may be of another device.
  private func uuids(
    with content: SyncedContent,
    besides uuid: UUID,
    of device: DeviceID
  ) throws -> [UUID] {
    let author = coding.devices.number(of: device)
    // Each that is captured already is left out here, before its whole entry is read.
    let maker =
      content.kind == .text
      ? """
      coalesce(json_extract(entry, '$.c.of[#-1].at[1]'), json_extract(entry, '$.c.at[1]'))
      """ : "json_extract(entry, '$.trash[1][1]')"
    let mayBeTwin = """
      snippet.uuid <> ?2 AND (
        sync_row.revision IS NOT snippet.revision OR \(maker) <> ?3
      )
      """
    switch content.body {
    case .text(let text):
      return try db.values(
        """
        SELECT snippet.uuid FROM snippet_text
        CROSS JOIN snippet ON snippet.id = snippet_text.snippet_id
        LEFT JOIN sync_row ON sync_row.snippet_id = snippet.id
        WHERE kind = 1 AND \(SnippetWriter.condition(thatBodyIs: "?1")) AND \(mayBeTwin)
        """,
        [text.databaseValue, uuid.bytes.databaseValue, author.databaseValue]
      ) { try $0.uuid(0) }
    case .blob(let hash, _):
      return try db.values(
        """
        SELECT snippet.uuid FROM blob JOIN snippet ON blob_id = blob.id
        LEFT JOIN sync_row ON sync_row.snippet_id = snippet.id
        WHERE sha256 = ?1 AND \(mayBeTwin)
        """,
        [hash.databaseValue, uuid.bytes.databaseValue, author.databaseValue]
      ) { try $0.uuid(0) }
    }
  }

  // MARK: - Numbers

  private func id(of uuid: UUID) throws -> SnippetID? {
    try presentID(of: uuid) ?? ids[uuid]
  }

  /// The number of a snippet that the store has now.
  private func presentID(of uuid: UUID) throws -> SnippetID? {
    if let found = present[uuid] { return found }
    let id = try db.number(
      "SELECT id FROM snippet WHERE uuid = ?",
      [uuid.bytes.databaseValue]
    ).map(SnippetID.init(rawValue:))
    if let id, ids[uuid] == nil { ids[uuid] = id }
    present[uuid] = .some(id)
    return id
  }

  private func saveDevices() throws {
    guard coding.devices.devices.count > deviceCount else { return }
    for (number, device) in coding.devices.devices.sorted(by: { $0.key < $1.key }) {
      try db.run(
        """
        INSERT INTO sync_device (id, device) SELECT ?1, ?2
        WHERE NOT EXISTS (SELECT 1 FROM sync_device WHERE id = ?1)
        """,
        [number.databaseValue, device.bytes.databaseValue]
      )
    }
    deviceCount = coding.devices.devices.count
  }
}

extension EntryCoding {
  /// Decodes an entry of the store, which wrote it itself.
  fileprivate func entry(_ text: String) throws -> Entry {
    do {
      return try decode(Data(text.utf8))
    } catch {
      throw DatabaseError.damage("an entry of the synchronization is none: \(error.reason)")
    }
  }
}
