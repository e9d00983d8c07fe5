import Foundation
import SnippetBase
import SnippetStorage

/// Entries as lines of JSON.
///
/// A register is an array of its value and its stamp, and a stamp is an array of milliseconds and
/// the number of a device. Keys that this version does not know are kept as they came.
struct EntryCoding {
  /// The devices that entries name.
  var devices: DeviceTable

  /// The version of what can be decoded.
  ///
  /// It increases with each kind and form of entries that is added, so that those are read again
  /// which an older version has kept as they came.
  static let version: Int64 = 3

  private static let keys: Set<String> = [
    "u", "title", "pin", "made", "mod", "tags", "c", "trash", "tseen", "nseen", "gone",
    "note", "copy",
  ]
  private static let contentKeys: Set<String> = [
    "at", "v", "kind", "n", "type", "title", "body", "sha256", "encoding", "preview", "file",
    "width", "height", "duration", "rate", "channels", "irregular",
  ]
}

/// A line that is no entry.
struct MalformedEntry: Error {
  var reason: String
}

// MARK: - Encoding

extension EntryCoding {
  /// Encodes an entry; devices without a number get one.
  mutating func encode(_ entry: Entry) -> Data {
    var json = JSONLine()
    json.begin("{")
    json.key("u")
    json.write(entry.uuid.bytes.hexadecimal)
    json.key("title")
    write(entry.title, to: &json) { title, json in
      if case .title(let title) = title { json.write(title) } else { json.writeNull() }
    }
    json.key("pin")
    write(entry.pin, to: &json) { pin, json in json.write(pin == .pinned ? 1 : 0) }
    json.key("made")
    write(entry.createdAt, to: &json) { date, json in json.write(date) }
    json.key("mod")
    write(entry.modifiedAt, to: &json) { date, json in json.write(date) }
    if !entry.tags.isEmpty {
      json.key("tags")
      json.begin("{")
      for (name, mark) in entry.tags.sorted(by: { $0.key < $1.key }) {
        json.key(name)
        write(mark, to: &json) { mark, json in
          if case .on(let tag) = mark { json.write(tag) } else { json.writeNull() }
        }
      }
      json.end("}")
    }
    json.key("c")
    write(entry.content, to: &json)
    write(entry.note, to: &json)
    json.key("trash")
    write(entry.trash, to: &json) { trash, json in
      if case .since(let date) = trash { json.write(date) } else { json.writeNull() }
    }
    if !entry.trashedVersions.isEmpty {
      json.key("tseen")
      write(entry.trashedVersions, to: &json)
    }
    if !entry.trashedNotes.isEmpty {
      json.key("nseen")
      json.begin("{")
      // By their identities: a version that keeps this key as it came gives devices other numbers.
      for (device, time) in entry.trashedNotes.sorted(by: { $0.key < $1.key }) {
        json.key(device.rawValue)
        json.write(time)
      }
      json.end("}")
    }
    if let copied = entry.copied {
      json.key("copy")
      json.begin("[")
      json.write(copied.uuid.bytes.hexadecimal)
      write(copied.stamp, to: &json)
      json.end("]")
    }
    json.write(others: entry.others)
    json.end("}")
    return json.data
  }

  private mutating func write<Value>(
    _ register: Register<Value>,
    to json: inout JSONLine,
    _ write: (Value, inout JSONLine) -> Void
  ) {
    json.begin("[")
    write(register.value, &json)
    self.write(register.stamp, to: &json)
    json.end("]")
  }

  private mutating func write(_ stamp: Stamp, to json: inout JSONLine) {
    json.begin("[")
    json.write(stamp.milliseconds)
    json.write(Int64(devices.number(of: stamp.device)))
    json.end("]")
  }

  private mutating func write(_ content: ContentVersions, to json: inout JSONLine) {
    json.begin("{")
    json.key("v")
    write(content.known, to: &json)
    json.key("of")
    json.begin("[")
    for (stamp, content) in content.versions.sorted(by: { $0.key < $1.key }) {
      json.begin("{")
      json.key("at")
      write(stamp, to: &json)
      Self.write(content, to: &json)
      json.end("}")
    }
    json.end("]")
    json.end("}")
  }

  private mutating func write(_ note: NoteVersions, to json: inout JSONLine) {
    guard !note.known.isEmpty else { return }
    json.key("note")
    json.begin("{")
    json.key("v")
    write(note.known, to: &json)
    json.key("texts")
    json.begin("[")
    for (stamp, text) in note.texts.sorted(by: { $0.key < $1.key }) {
      json.begin("[")
      json.write(text)
      write(stamp, to: &json)
      json.end("]")
    }
    json.end("]")
    json.end("}")
  }

  private mutating func write(_ known: KnownEdits, to json: inout JSONLine) {
    json.begin("{")
    for (device, time) in known.sorted(by: { $0.key < $1.key }) {
      json.key(String(devices.number(of: device)))
      json.write(time)
    }
    json.end("}")
  }

  private static func write(_ content: SyncedContent, to json: inout JSONLine) {
    json.write(content.kind.name, as: "kind")
    json.write(content.byteCount, as: "n")
    json.write(content.mediaType, as: "type")
    json.write(content.title, as: "title")
    switch content.body {
    case .text(let text): json.write(text, as: "body")
    case .blob(let hash, let encoding):
      json.write(hash.hexadecimal, as: "sha256")
      json.write(encoding, as: "encoding")
    }
    json.write(content.preview.isEmpty ? nil : content.preview, as: "preview")
    json.write(content.file, as: "file")
    json.write(content.facts.pixelWidth.map(Int64.init), as: "width")
    json.write(content.facts.pixelHeight.map(Int64.init), as: "height")
    json.write(content.facts.duration?.milliseconds, as: "duration")
    json.write(content.facts.sampleRate.map(Int64.init), as: "rate")
    json.write(content.facts.channelCount.map(Int64.init), as: "channels")
    json.write(content.facts.isIrregular ? 1 : nil, as: "irregular")
    json.write(others: content.others)
  }
}

extension JSONLine {
  /// Adds a field that is left out where it has no value.
  fileprivate mutating func write(_ text: String?, as name: String) {
    guard let text else { return }
    key(name)
    write(text)
  }

  /// Adds a field that is left out where it has no value.
  fileprivate mutating func write(_ number: Int64?, as name: String) {
    guard let number else { return }
    key(name)
    write(number)
  }

  /// Adds the fields that newer versions have written.
  fileprivate mutating func write(others: [String: String]) {
    for (name, json) in others.sorted(by: { $0.key < $1.key }) {
      key(name)
      write(json: json)
    }
  }
}

// MARK: - What newer versions have added

extension EntryCoding {
  /// Encodes the fields of an object that this version does not know.
  private static func others(
    of object: [String: Any],
    besides keys: Set<String>
  ) -> [String: String] {
    object.filter { !keys.contains($0.key) }.compactMapValues { value in
      let json = try? JSONSerialization.data(
        withJSONObject: value,
        options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
      )
      return json.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Reads the identity of an entry; `nil` if it has none.
  static func identity(of line: Data) -> UUID? {
    // Only an object can be kept as it came.
    guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}"),
      line.withUnsafeBytes({ !$0.contains(0) })
    else { return nil }
    // All versions begin with it, and to read the whole entry takes 30 times as long.
    let start = #"{"u":""#.utf8
    let digits = line.dropFirst(start.count).prefix(33)
    if line.starts(with: start), digits.last == UInt8(ascii: "\"") {
      return UUID(hexadecimal: String(decoding: digits.dropLast(), as: UTF8.self))
    }
    let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
    return (object?["u"] as? String).flatMap(UUID.init(hexadecimal:))
  }
}

// MARK: - Decoding

extension EntryCoding {
  /// Decodes an entry.
  ///
  /// - Throws: ``MalformedEntry``, whatever the bytes are.
  func decode(_ line: Data) throws(MalformedEntry) -> Entry {
    let read = JSONLineReader.object(of: line)
    guard let object = try? read ?? JSONSerialization.jsonObject(with: line) as? [String: Any]
    else { throw MalformedEntry(reason: "it is not an object of JSON") }
    guard let uuid = (object["u"] as? String).flatMap(UUID.init(hexadecimal:)) else {
      throw MalformedEntry(reason: "it has no identity")
    }
    var entry = Entry(
      uuid: uuid,
      content: try versions(object["c"], deleted: object["gone"]),
      title: try register(object["title"], "title") { value in
        value is NSNull ? .ofContent : (value as? String).map(TitleMark.title)
      },
      pin: try register(object["pin"], "pin") { value in
        number(value).map { $0 == 0 ? .unpinned : .pinned }
      },
      createdAt: try register(object["made"], "made", date),
      modifiedAt: try register(object["mod"], "mod", date),
      trash: try register(object["trash"], "trash") { value in
        value is NSNull ? .out : date(value).map(TrashMark.since)
      }
    )
    for (name, mark) in object["tags"] as? [String: Any] ?? [:] {
      entry.tags[name] = try register(mark, "tags") { value in
        value is NSNull ? .off : (value as? String).map(TagMark.on)
      }
    }
    if let note = object["note"] { entry.note = try self.note(note) }
    if let seen = object["tseen"] {
      entry.trashedVersions = try trashedVersions(seen, of: entry.content)
    }
    entry.trashedNotes = trashedNotes(object["nseen"])
    if let copied = object["copy"] { entry.copied = try self.copied(copied) }
    entry.others = Self.others(of: object, besides: Self.keys)
    return entry
  }

  private func register<Value>(
    _ json: Any?,
    _ key: String,
    _ value: (Any) -> Value?
  ) throws(MalformedEntry) -> Register<Value> {
    guard let pair = json as? [Any], pair.count == 2, let value = value(pair[0]) else {
      throw MalformedEntry(reason: "its “\(key)” is not a value with a stamp")
    }
    return Register(value, try stamp(pair[1], key))
  }

  private func stamp(_ json: Any, _ key: String) throws(MalformedEntry) -> Stamp {
    guard let pair = json as? [Any], pair.count == 2, let time = moment(pair[0]),
      let device = number(pair[1]).flatMap({ devices[Int($0)] })
    else { throw MalformedEntry(reason: "a stamp of its “\(key)” is not one") }
    return Stamp(time, device)
  }

  /// Reads the versions of a content.
  ///
  /// Before version 3 an entry had one, which was there, or deleted up to a stamp.
  private func versions(
    _ json: Any?,
    deleted end: Any?
  ) throws(MalformedEntry) -> ContentVersions {
    let none = MalformedEntry(reason: "it has no versions of its content")
    guard let object = json as? [String: Any], let known = object["v"] else { throw none }
    var content = ContentVersions(known: try self.known(known, of: "c"))
    let isFormer = object["of"] == nil
    let versions: [Any] = isFormer ? [object] : (object["of"] as? [Any] ?? [0])
    for version in versions {
      guard let version = version as? [String: Any], let at = version["at"] else { throw none }
      let stamp = try self.stamp(at, "c")
      content.known.add(stamp)
      if isFormer, version["kind"] == nil { continue }
      content.versions[stamp] = try self.content(version)
    }
    if isFormer, let end {
      let gone = try stamp(end, "gone")
      content.known.add(gone)
      content.versions = content.versions.filter { $0.key > gone }
    }
    return content
  }

  /// Reads the versions that were known where a snippet was moved to the trash.
  ///
  /// Before version 3 it was the last one alone.
  private func trashedVersions(
    _ json: Any,
    of content: ContentVersions
  ) throws(MalformedEntry) -> KnownEdits {
    guard json is [Any] else { return try known(json, of: "tseen") }
    let last = try stamp(json, "tseen")
    if let shown = content.last, shown <= last { return content.known }
    return [last.device: last.milliseconds]
  }

  /// Reads the version that a conflict copy was made of.
  private func copied(_ json: Any) throws(MalformedEntry) -> CopiedVersion {
    guard let pair = json as? [Any], pair.count == 2,
      let uuid = (pair[0] as? String).flatMap(UUID.init(hexadecimal:))
    else { throw MalformedEntry(reason: "the version that it is a copy of is none") }
    return CopiedVersion(uuid: uuid, stamp: try stamp(pair[1], "copy"))
  }

  private func note(_ json: Any) throws(MalformedEntry) -> NoteVersions {
    let object = json as? [String: Any]
    guard let known = object?["v"], let texts = object?["texts"] as? [Any] else {
      throw MalformedEntry(reason: "its “note” is not one")
    }
    var note = NoteVersions()
    note.known = try self.known(known, of: "note")
    for text in texts {
      let register = try register(text, "note") { value in value as? String }
      if !register.value.isEmpty { note.texts[register.stamp] = register.value }
    }
    return note
  }

  /// Reads the last edit of each device that is known, in milliseconds since 1970.
  private func known(
    _ json: Any,
    of key: String
  ) throws(MalformedEntry) -> KnownEdits {
    guard let object = json as? [String: Any] else {
      throw MalformedEntry(reason: "what its “\(key)” knows are no edits")
    }
    var known: KnownEdits = [:]
    for (number, time) in object {
      guard let device = Int(number).flatMap({ devices[$0] }), let time = moment(time) else {
        throw MalformedEntry(reason: "an edit that its “\(key)” knows is not one")
      }
      known[device] = max(time, known[device] ?? time)
    }
    return known
  }

  /// Reads the edits of a note that were known where a snippet was moved to the trash.
  ///
  /// One that is none is left out: its text brings the snippet back.
  private func trashedNotes(_ json: Any?) -> KnownEdits {
    var known: KnownEdits = [:]
    for (name, time) in json as? [String: Any] ?? [:] {
      guard let device = DeviceID(rawValue: name), let time = moment(time) else { continue }
      known[device] = time
    }
    return known
  }

  private func content(_ object: [String: Any]) throws(MalformedEntry) -> SyncedContent {
    guard let kind = (object["kind"] as? String).flatMap(SnippetKind.init(name:)),
      let byteCount = number(object["n"]), (0..<1 << 53).contains(byteCount),
      let mediaType = object["type"] as? String
    else { throw MalformedEntry(reason: "its content is of no known kind") }
    let body: SyncedContent.Body
    if let text = object["body"] as? String {
      body = .text(text)
    } else if let hash = (object["sha256"] as? String).flatMap(Data.init(hexadecimal:)),
      hash.count == 32
    {
      body = .blob(hash, encoding: object["encoding"] as? String)
    } else {
      throw MalformedEntry(reason: "its content has neither a text nor a hash")
    }
    return SyncedContent(
      kind: kind,
      body: body,
      byteCount: byteCount,
      mediaType: mediaType,
      preview: object["preview"] as? String ?? "",
      facts: MediaFacts(
        pixelWidth: number(object["width"]).map(Int.init),
        pixelHeight: number(object["height"]).map(Int.init),
        duration: number(object["duration"]).map { .milliseconds($0) },
        sampleRate: number(object["rate"]).map(Int.init),
        channelCount: number(object["channels"]).map(Int.init),
        isIrregular: number(object["irregular"]) == 1
      ),
      title: object["title"] as? String ?? "",
      file: object["file"] as? String,
      others: Self.others(of: object, besides: Self.contentKeys)
    )
  }

  private func number(_ json: Any?) -> Int64? {
    // Of a number of Foundation, a cast would return other values than this does.
    if let json, type(of: json) == Int64.self { return json as? Int64 }
    guard let number = json as? NSNumber else { return nil }
    return Int64(exactly: number.doubleValue.rounded()) == nil ? nil : number.int64Value
  }

  /// A date that the store can hold.
  private func date(_ json: Any?) -> Int64? {
    number(json).flatMap { Stamp.dates.contains($0) ? $0 : nil }
  }

  /// A moment that a stamp can have.
  private func moment(_ json: Any?) -> Int64? {
    number(json).flatMap { Stamp.moments.contains($0) ? $0 : nil }
  }
}
