import Foundation

/// Finds the JSON of each picture in a folder of Google Photos, by the names.
///
/// Google names the JSON of `IMG.jpg` `IMG.jpg.json` or `IMG.jpg.supplemental-metadata.json`, and
/// cuts that off so that the name has 51 characters. A second `IMG.jpg` is `IMG(1).jpg`, with
/// `IMG.jpg(1).json`. A picture edited there is `IMG-edited.jpg`, which has no JSON of its own. Some
/// JSON is `IMG.JPG.json`, as the camera wrote the name.
///
/// A name may be cut off within that of the picture. Such JSON belongs to a picture only if no other
/// has that beginning, or the real name tells which.
struct SidecarNames {
  /// A name without the number of a second one.
  private struct Key: Hashable {
    var name: String
    var number: String

    /// Whether a name may be that of an edited copy of this one, cut off to the same length.
    func mayBecome(_ copy: Key) -> Bool {
      guard copy != self, let hyphen = SidecarNames.hyphen(ofEditing: copy.name),
        name.hasPrefix(copy.name[..<hyphen])
      else { return false }
      return !name.hasPrefix(copy.name[...hyphen])
    }
  }

  /// The names of JSON, by the names of pictures that they may belong to.
  private var exact: [Key: [String]] = [:]
  /// The names of JSON, by names that were cut off.
  private var cut: [Key: [String]] = [:]
  /// The few different lengths of the names that were cut off.
  private var cutCounts: Set<Int> = []
  /// The names of JSON that are named for a picture which is there.
  private var named: Set<String> = []
  /// The names of JSON without a number, by the real names of the pictures.
  private var byTitle: [String: [String]] = [:]
  /// The names of JSON, by the names of pictures in lower case.
  private var lowercased: [Key: [String]] = [:]
  /// The names of JSON that pictures have in their own case.
  private var taken: Set<String> = []
  /// The real names of pictures, by the names of JSON.
  private var titles: [String: String] = [:]
  /// The names of all pictures in lower case.
  private let present: Set<String>
  /// The pictures of JSON whose name is the beginning of several, each with whether it is an edited
  /// copy, by the names of JSON.
  private var owners: [String: [Key: Bool]] = [:]
  /// The names of JSON that were cut off, and may be those of several pictures.
  private(set) var ambiguous: Set<String> = []

  private static let suffix = "supplemental-metadata"
  /// The lengths of names that Google has cut off, without `.json` and with a number or not.
  private static let cutLengths = 40...46
  private static let editings = [
    "-edited", "-effects", "-smile", "-mix", "-bearbeitet", "-modifié", "-modificado", "-editado",
    "-bewerkt", "-edytowane", "-redigerad", "-編集済み",
  ]
  /// The extensions of recordings, which have the JSON of a picture in motion.
  private static let recordings: Set<String> = [
    ".3gp", ".avi", ".m4v", ".mkv", ".mov", ".mp", ".mp4", ".webm",
  ]
  /// More letters than the word has in any language.
  private static let longestEditing = 20
  /// The most names with one beginning among which edited copies are looked for.
  private static let maximumCopyCount = 64

  /// Takes the names of JSON, with the real names of the pictures, and those of all pictures beside.
  init(_ documents: [(name: String, title: String?)], beside pictures: [String] = []) {
    let all = Set(pictures)
    present = Set(pictures.map { $0.lowercased() })
    for (json, title) in documents.sorted(by: { $0.name < $1.name }) {
      titles[json] = title
      let base = String(json.dropLast(".json".count))
      var key = Self.splittingNumber(base)
      if [base, key.name].contains(where: { Self.cutLengths.contains($0.utf16.count) }) {
        cut[key, default: []].append(json)
        cutCounts.insert(key.name.count)
      }
      if let dot = key.name.lastIndex(of: "."),
        Self.suffix.hasPrefix(key.name[key.name.index(after: dot)...])
      {
        key.name = String(key.name[..<dot])
      }
      exact[key, default: []].append(json)
      // All pictures of one name have it for their real one.
      let isOfSecond = !key.number.isEmpty || title.map { Self.isSecond(key.name, of: $0) } ?? false
      key.name = key.name.lowercased()
      lowercased[key, default: []].append(json)
      if let title, !isOfSecond { byTitle[title, default: []].append(json) }
    }
    for picture in all.sorted() { moveByTitle(from: picture, among: all) }
    for picture in all {
      let (stem, ending) = Self.splittingExtension(picture)
      named.formUnion(sidecars(Self.splittingNumber(stem), ending) ?? [])
    }
    settleCutNames(of: all)
    for picture in pictures {
      let match = matchInCase(picture)
      if !match.isEdited { taken.formUnion(match.sidecars) }
    }
  }

  /// The JSON of a picture.
  struct Match: Equatable {
    /// The names of the JSON, the likeliest first; empty if there is none.
    var sidecars: [String] = []
    /// Whether the picture is an edited copy of the one that the JSON is of.
    var isEdited = false
  }

  /// Finds the JSON of a picture.
  func match(_ picture: String) -> Match {
    let match = matchInCase(picture)
    return match.sidecars.isEmpty ? matchInOtherCase(picture) : match
  }

  private func matchInCase(_ picture: String) -> Match {
    let (stem, ending) = Self.splittingExtension(picture)
    let key = Self.splittingNumber(stem)
    if let found = sidecars(key, ending) { return Match(sidecars: found) }
    if let match = matchInCut(key, ending) { return match }
    if let editing = Self.editings.first(where: key.name.hasSuffix) {
      let own = Key(name: String(key.name.dropLast(editing.count)), number: key.number)
      if let found = sidecars(own, ending) ?? matchInCut(own, ending)?.sidecars {
        return Match(sidecars: found, isEdited: true)
      }
    }
    let titled = byTitle[picture, default: []].filter { !named.contains($0) }
    if titled.count == 1 { return Match(sidecars: titled) }
    let found = original(of: key, ending).flatMap { exact[$0] }
    return Match(sidecars: found ?? [], isEdited: found != nil)
  }

  /// Finds JSON whose name differs in capitals, unless another picture has it.
  private func matchInOtherCase(_ picture: String) -> Match {
    let (stem, ending) = Self.splittingExtension(picture.lowercased())
    var key = Self.splittingNumber(stem)
    let editing = Self.editings.first(where: key.name.hasSuffix)
    key.name += ending
    if let found = lowercased[key]?.filter({ !taken.contains($0) }), !found.isEmpty {
      return Match(sidecars: found)
    }
    guard let editing else { return Match() }
    key.name = String(key.name.dropLast(editing.count + ending.count)) + ending
    let found = lowercased[key] ?? []
    return Match(sidecars: found, isEdited: !found.isEmpty)
  }

  /// Guesses the picture that a picture without JSON is an edited copy of, by what all languages
  /// write behind the name: a hyphen and words in lower case, which a long name cuts off.
  private func original(of copy: Key, _ ending: String) -> Key? {
    guard let hyphen = Self.hyphen(ofEditing: copy.name) else { return nil }
    return Key(name: String(copy.name[..<hyphen]) + ending, number: copy.number)
  }

  private static func hyphen(ofEditing name: String) -> String.Index? {
    guard let hyphen = name.lastIndex(of: "-") else { return nil }
    let words = name[hyphen...].dropFirst()
    guard words.count <= longestEditing, words.first?.isUppercase != true,
      words.allSatisfy({ $0.isLetter || $0 == " " })
    else { return nil }
    return hyphen
  }

  private func sidecars(_ key: Key, _ ending: String) -> [String]? {
    let name = key.name + ending
    if let found = exact[Key(name: name, number: key.number)] { return found }
    if !key.number.isEmpty, let found = exact[Key(name: key.name + key.number + ending, number: "")]
    {
      return found
    }
    let picture = key.name + key.number + ending
    let plain = picture.lowercased()
    let found = (exact[key] ?? []).filter { json in
      // `a.s.json` may be that of `a.s.jpg` too.
      let isOfOther =
        titles[json].map { title in
          title.lowercased() != plain && present.contains(title.lowercased())
            && !Self.isSecond(picture, of: title) && !Self.recordings.contains(ending.lowercased())
        } ?? false
      return !isOfOther && !isOfOtherKind(json, key, ending)
    }
    return found.isEmpty ? nil : found
  }

  /// Whether JSON is that of a picture beside this one which differs in the extension alone.
  private func isOfOtherKind(_ json: String, _ key: Key, _ ending: String) -> Bool {
    guard let title = titles[json] else { return false }
    let (own, other) = (ending.lowercased(), Self.splittingExtension(title).ending.lowercased())
    return own != other && !Self.recordings.contains(own)
      && present.contains((key.name + key.number).lowercased() + other)
  }

  // MARK: - Names that were cut off

  /// Returns the names of JSON that may be cut off from that of a picture: the longest.
  private func cutSidecars(_ key: Key, _ ending: String) -> [String] {
    let name = key.name + ending
    let count = name.count
    for count in cutCounts.filter({ $0 <= count }).sorted(by: >) {
      let beginning = String(name.prefix(count))
      let found = (cut[Key(name: beginning, number: key.number)] ?? []).filter {
        !isOfOtherKind($0, key, ending) && !isOfOther($0, key, behind: beginning)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Whether the real name of a picture goes on otherwise than that of another one, behind the
  /// beginning of both.
  private func isOfOther(_ json: String, _ key: Key, behind beginning: String) -> Bool {
    guard let title = titles[json], title.hasPrefix(beginning), key.name.hasPrefix(beginning) else {
      return false
    }
    var rest = key.name.dropFirst(beginning.count)
    // The words behind a hyphen may be those of an edited copy.
    if let hyphen = Self.hyphen(ofEditing: key.name), hyphen >= rest.startIndex {
      rest = rest[..<hyphen]
    }
    let real = title.dropFirst(beginning.count)
    // Google writes _ for what a name of a file may not have.
    return rest.count > real.count || zip(rest, real).contains { $0 != $1 && $0 != "_" }
  }

  private func matchInCut(_ key: Key, _ ending: String) -> Match? {
    let found = cutSidecars(key, ending).filter { owners[$0]?.keys.contains(key) ?? true }
    let chosen = found.count > 1 ? found.filter { hasTitle($0, of: key) } : found
    guard chosen.count == 1, let json = chosen.first else { return nil }
    return Match(sidecars: [json], isEdited: owners[json]?[key] ?? false)
  }

  /// Whether a picture may have its name from the real one in its JSON.
  private func hasTitle(_ json: String, of key: Key) -> Bool {
    titles[json].map { Self.splittingExtension($0).stem.hasPrefix(key.name) } ?? false
  }

  /// Finds which of the pictures whose names begin alike a cut name is of.
  ///
  /// A picture and a recording of one name, as of a moment in motion, have JSON in common.
  private mutating func settleCutNames(of pictures: Set<String>) {
    guard !cut.isEmpty else { return }
    var users: [String: Set<Key>] = [:]
    var sure: [String: Set<Key>] = [:]
    for picture in pictures {
      let (stem, ending) = Self.splittingExtension(picture)
      let key = Self.splittingNumber(stem)
      if let found = sidecars(key, ending) {
        for json in found { sure[json, default: []].insert(key) }
        continue
      }
      let found = cutSidecars(key, ending)
      for json in found { users[json, default: []].insert(key) }
      if found.count > 1, found.filter({ hasTitle($0, of: key) }).count != 1 {
        ambiguous.formUnion(found)
      }
    }
    for (json, all) in users where all.count > 1 || sure[json] != nil {
      let titled = all.filter { hasTitle(json, of: $0) }
      let isMany = all.count > Self.maximumCopyCount
      let alone = isMany ? all : all.filter { name in !all.contains { $0.mayBecome(name) } }
      let own = sure[json] ?? (titled.count == 1 ? titled : alone)
      var keys: [Key: Bool] = [:]
      if sure[json] != nil || own.count == 1 {
        for name in all { keys[name] = own.contains { $0.mayBecome(name) } ? true : nil }
        for name in own { keys[name] = false }
      } else {
        ambiguous.insert(json)
      }
      owners[json] = keys
    }
  }

  /// Gives the JSON of a picture to another one that its title names, and that has none: the former
  /// was renamed over that.
  private mutating func moveByTitle(from picture: String, among all: Set<String>) {
    let key = Key(name: picture, number: "")
    for json in exact[key] ?? [] {
      guard let title = titles[json], title != picture, all.contains(title),
        !Self.isSecond(picture, of: title)
      else { continue }
      let (stem, ending) = Self.splittingExtension(title)
      guard sidecars(Self.splittingNumber(stem), ending) == nil else { continue }
      exact[key]?.removeAll { $0 == json }
      if exact[key]?.isEmpty == true { exact[key] = nil }
      exact[Key(name: title, number: ""), default: []].append(json)
    }
  }

  /// Whether a picture is a further one of a name, as `IMG(1).jpg` of `IMG.jpg`.
  private static func isSecond(_ picture: String, of first: String) -> Bool {
    let (stem, ending) = splittingExtension(picture)
    let key = splittingNumber(stem)
    return !key.number.isEmpty && key.name + ending == first
  }

  /// Splits `IMG(1)` into a name and `(1)`.
  private static func splittingNumber(_ name: String) -> Key {
    guard name.hasSuffix(")"), let start = name.lastIndex(of: "(") else {
      return Key(name: name, number: "")
    }
    let digits = name[name.index(after: start)...].dropLast()
    guard !digits.isEmpty, digits.utf8.count < 6, digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return Key(name: name, number: "") }
    return Key(name: String(name[..<start]), number: String(name[start...]))
  }

  /// Splits `IMG.jpg` into `IMG` and `.jpg`.
  private static func splittingExtension(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
