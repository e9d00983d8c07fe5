/// The files of a folder that have an identity: those in the last common states, and those that an
/// import has found so far.
///
/// Their names are made up when they are exported, as `Meeting 2` for the second note of that title.
struct IdentifiedFiles {
  /// The paths in the last common states, by the identities; some may be of former ones by now.
  private var paths: [String: [String]] = [:]
  /// The identities of the files that were found, by the bytes of their paths.
  private var found: [[UInt8]: String] = [:]
  private var foundIdentities: Set<String> = []
  /// The former paths of states that were put aside, by the bytes of their present ones.
  private var formerPaths: [[UInt8]: String] = [:]

  /// The places of states in other archives, by the identities; `nil` until they are looked for.
  private var archived: [String: [OriginPlace]]?

  /// Returns the places of states in other archives with an identity; `find` returns all.
  mutating func placesInOtherArchives(
    of identity: String,
    _ find: () throws -> [String: [OriginPlace]]
  ) rethrows -> [OriginPlace] {
    let all = try archived ?? find()
    archived = all
    return all[identity] ?? []
  }

  /// Adds the path of a last common state.
  mutating func add(_ identity: String, at path: String) {
    paths[identity, default: []].append(path)
  }

  /// Notes that a file was found.
  mutating func find(_ identity: String, at path: String) {
    found[Array(path.utf8)] = identity
    foundIdentities.insert(identity)
  }

  /// Notes that a state has another path, because another file has its name.
  mutating func putAside(_ identity: String, from path: String, to other: String) {
    add(identity, at: other)
    formerPaths[Array(other.utf8)] = self.path(before: path)
  }

  /// Whether there is a last common state with an identity.
  func isKnown(_ identity: String) -> Bool { paths[identity] != nil }

  /// Whether a file with an identity was found.
  func isFound(_ identity: String) -> Bool { foundIdentities.contains(identity) }

  /// Returns the paths of the last common states with an identity.
  func paths(of identity: String) -> [String] { paths[identity] ?? [] }

  /// Returns the identity of a file that was found; `nil` if none was.
  func identity(at path: String) -> String? { found[Array(path.utf8)] }

  /// Returns the path that a state had before it was put aside.
  func path(before path: String) -> String { formerPaths[Array(path.utf8)] ?? path }
}
