import SnippetBase

/// The numbers of what an import leaves out and reports once, at its end.
struct LeftOutCounts {
  /// The numbers of values without a place, by the paths of folders and the names.
  private var values: [String: [String: Int]] = [:]
  /// The notebooks that become no tags, by the given folders, each with those around it.
  private var notebooks: [Int: Set<[String]>] = [:]

  private static let maximumNameCount = 100

  /// Counts values of a file for which a store has no place.
  mutating func count(_ names: [String], of file: String, in given: Int?, of roots: ImportRoots) {
    // Files that were given one by one count for the folder that they are in.
    let folder = given.map { roots.all[$0].path } ?? file.folderPath
    for name in names {
      let isKnown = values[folder]?[name] != nil
      // Real exports have twenty.
      if isKnown || values[folder, default: [:]].count < Self.maximumNameCount {
        values[folder, default: [:]][name, default: 0] += 1
      }
    }
  }

  /// Counts a notebook and those around it, outermost first.
  mutating func count(notebooks titles: [String], in given: Int) {
    for depth in titles.indices {
      notebooks[given, default: []].insert(Array(titles[...depth]))
    }
  }

  /// Returns what is to be reported, by folder.
  func leftOut(of roots: ImportRoots) -> [LeftOut] {
    let ofNotebooks = notebooks.sorted { $0.key < $1.key }.map { given, paths in
      LeftOut(roots.all[given].path, .notebooks(paths.count))
    }
    let ofValues = values.sorted { $0.key < $1.key }.map { folder, counts in
      let names = counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      return LeftOut(folder, .valuesWithoutPlace(names.joined(separator: ", ")))
    }
    return ofNotebooks + ofValues
  }
}
