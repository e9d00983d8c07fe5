import Foundation

/// Finds the JSON of each picture in a folder of Google Photos, by the names.
///
/// Google names the JSON of `IMG.jpg` `IMG.jpg.json` or `IMG.jpg.supplemental-metadata.json`, and
/// cuts that off so that the name has 51 characters. A second `IMG.jpg` is `IMG(1).jpg`, with
/// `IMG.jpg(1).json`. A picture edited there is `IMG-edited.jpg`, which has no JSON of its own. Some
/// JSON is `IMG.JPG.json`, as the camera wrote the name.
struct SidecarNames {
  /// A name without the number of a second one.
  private struct Key: Hashable {
    var name: String
    var number: String
  }

  /// The names of JSON, by the names of pictures that they may belong to.
  private var exact: [Key: [String]] = [:]
  /// The names of JSON, by names that were cut off.
  private var cut: [Key: [String]] = [:]
  /// The few different lengths of the names that were cut off.
  private var cutCounts: Set<Int> = []
  /// The names of JSON, by the real names of the pictures.
  private var byTitle: [String: [String]] = [:]
  /// The names of JSON, by the names of pictures in lower case.
  private var lowercased: [Key: [String]] = [:]
  /// The names of JSON that pictures have in their own case.
  private var taken: Set<String> = []

  private static let suffix = "supplemental-metadata"
  /// The length at which Google cuts names off, with `.json`.
  private static let cutCount = 51
  private static let editings = [
    "-edited", "-effects", "-smile", "-mix", "-bearbeitet", "-modifié", "-modificado", "-editado",
    "-bewerkt", "-edytowane", "-redigerad", "-編集済み",
  ]
  /// More letters than the word has in any language.
  private static let longestEditing = 20

  /// Takes the names of JSON, with the real names of the pictures, and those of all pictures beside.
  init(_ sidecars: [(name: String, title: String?)], beside pictures: [String] = []) {
    for (json, title) in sidecars.sorted(by: { $0.name < $1.name }) {
      let base = String(json.dropLast(".json".count))
      var key = Self.splittingNumber(base)
      let isCut = (Self.cutCount - 6...Self.cutCount).contains(json.utf16.count)
      if let dot = key.name.lastIndex(of: "."),
        Self.suffix.hasPrefix(key.name[key.name.index(after: dot)...])
      {
        key.name = String(key.name[..<dot])
      } else if isCut {
        cut[key, default: []].append(json)
        cutCounts.insert(key.name.count)
      }
      exact[key, default: []].append(json)
      key.name = key.name.lowercased()
      lowercased[key, default: []].append(json)
      if let title { byTitle[title, default: []].append(json) }
    }
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
    if let editing = Self.editings.first(where: key.name.hasSuffix) {
      let own = Key(name: String(key.name.dropLast(editing.count)), number: key.number)
      if let found = sidecars(own, ending) { return Match(sidecars: found, isEdited: true) }
    }
    if let found = byTitle[picture] { return Match(sidecars: found) }
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
    guard let hyphen = copy.name.lastIndex(of: "-") else { return nil }
    let words = copy.name[hyphen...].dropFirst()
    guard words.count <= Self.longestEditing, words.first?.isUppercase != true,
      words.allSatisfy({ $0.isLetter || $0 == " " })
    else { return nil }
    return Key(name: String(copy.name[..<hyphen]) + ending, number: copy.number)
  }

  private func sidecars(_ key: Key, _ ending: String) -> [String]? {
    let name = key.name + ending
    if let found = exact[Key(name: name, number: key.number)] { return found }
    if !key.number.isEmpty, let found = exact[Key(name: key.name + key.number + ending, number: "")]
    {
      return found
    }
    if let found = exact[key] { return found }
    let count = name.count
    let found = cutCounts.filter { $0 <= count }
      .flatMap { cut[Key(name: String(name.prefix($0)), number: key.number)] ?? [] }
    return found.isEmpty ? nil : found.sorted()
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
