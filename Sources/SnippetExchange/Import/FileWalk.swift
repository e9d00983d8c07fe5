import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The regular files at and below some paths, in the order of their names, found on demand.
///
/// A link is followed if it is one of the given paths. One that is found below them is left out,
/// unless links are to be followed, so a walk never runs in a circle or leaves the given paths. The
/// files of a store that this process has open are always left out.
///
/// In a folder made by an export, the files in its manifest are found with their entries, and all
/// others are left out. In one made by Joplin, its notes and resources are found, then the other
/// files.
///
/// Everything in the folders is found, or left out with a reason.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or the reason why a path cannot be walked.
  enum Entry {
    case file(File)
    case exported(ExportedFiles.File)
    /// A note or a resource of another program, in the given folder with an index; `nil` if its file
    /// itself was given.
    case item(any ImportItem, folder: Int?)
    /// A file that only describes others, or is an item, and whether it is of use.
    case describing(File, isUsed: Bool)
    case leftOut(LeftOut)
    case failure(path: String, any Error)
  }

  /// A file on the disk.
  struct File {
    let path: String
    let stamp: FileStamp
    /// The index of the given folder in which it was found; `nil` if the file itself was given.
    var folder: Int?
    /// The properties in another file; `nil` if there are none.
    var description: FileDescription?

    var byteCount: Int64 { stamp.byteCount }
  }

  /// A path to visit.
  private struct Place {
    var path: String
    /// The index of the given path that contains it.
    var given: Int
    var isGiven: Bool
    /// Whether the name is valid UTF-8.
    ///
    /// A name that is not would read back as that of another file.
    var isText = true
    /// Whether it is a link that is followed.
    var isFollowed = false
    /// Whether it is such a link, or below one.
    var isThroughLink = false
    /// The reason why it is not visited; `nil` if it is.
    var reason: LeftOut.Reason?
    var description: FileDescription?
  }

  private let includesHidden: Bool
  /// The paths still to visit, in reverse order.
  private var pending: [Place]
  /// The export whose files come next.
  private var exported: ExportedFiles?
  private var joplin: (export: JoplinExport, folder: Int)?
  /// `nil` if links are not followed.
  private var links: FollowedLinks?
  /// The paths of files that Joplin's items have brought, by their bytes.
  private var resourcePaths: Set<[UInt8]> = []
  /// The entries that are known already, in reverse order.
  private var known: [Entry]
  private let roots: [ImportRoot]
  private let takeout: TakeoutParts
  private var takeoutReadings = TakeoutFolder.Readings()
  /// The properties of the files in folders of assets, by the paths of the folders.
  private var assets: [String: FileDescription] = [:]

  init(_ roots: [ImportRoot], includesHidden: Bool, followsLinks: Bool) {
    self.includesHidden = includesHidden
    if followsLinks {
      links = FollowedLinks(below: roots.map(\.path), includesHidden: includesHidden)
    }
    self.roots = roots
    takeout = TakeoutParts(in: roots.map { ($0.path, $0.url.path) })
    known = roots.flatMap(\.entries).reversed()
    pending = roots.enumerated().filter(\.element.isWalked).reversed().map {
      Place(path: $0.element.path, given: $0.offset, isGiven: true)
    }
    describeGivenFiles()
  }

  /// Lets given files of one folder describe each other, as those do that are found in it: a shell
  /// names them all for `Photos/*`.
  private mutating func describeGivenFiles() {
    var groups: [String: [String]] = [:]
    for place in pending where roots[place.given].archive == nil {
      guard (try? Stat(place.path, followTargetSymlink: true))?.type == .regular else { continue }
      groups[place.path.folderPath, default: []].append(place.path.fileName)
    }
    var found: [String: FileDescription] = [:]
    var silentPaths: Set<String> = []
    for (folder, names) in groups.sorted(by: { $0.key < $1.key }) where names.count > 1 {
      var silentNames: Set<String> = []
      let descriptions = descriptions(in: folder, of: nil, Set(names).sorted(), &silentNames)
      for (name, description) in descriptions { found[folder.withSlash + name] = description }
      silentPaths.formUnion(silentNames.map { folder.withSlash + $0 })
    }
    guard !found.isEmpty || !silentPaths.isEmpty else { return }
    for index in pending.indices { pending[index].description = found[pending[index].path] }
    pending.removeAll { silentPaths.contains($0.path) }
  }

  mutating func next() -> Entry? {
    if let entry = known.popLast() { return entry }
    if let entry = exported?.next() { return entry }
    exported = nil
    if let entry = nextOfJoplin() { return entry }
    joplin = nil
    while let place = pending.popLast() {
      let (path, isGiven) = (place.path, place.isGiven)
      guard place.isText else { return .failure(path: path, Self.nameless(path)) }
      if let reason = place.reason { return .leftOut(LeftOut(path, reason)) }
      let status: Stat
      do throws(Errno) {
        status = try Stat(path, followTargetSymlink: isGiven || place.isFollowed)
      } catch {
        // The name was decoded from invalid UTF-8, so it is no longer that of the file.
        if isGiven, error == .noSuchFileOrDirectory, path.contains("\u{FFFD}") {
          return .failure(path: path, Self.nameless(path))
        }
        return .failure(path: path, FileError(path, error))
      }
      if place.isThroughLink, status.type != .symbolicLink, links?.visit(path) == false {
        return .leftOut(LeftOut(path, .linkToImported))
      }
      switch status.type {
      case .directory:
        do {
          exported = try ExportedFiles(in: path, includesHidden: includesHidden)
          if let entry = exported?.next() { return entry }
          if exported == nil { try visit(place) }
          if let entry = nextOfJoplin() ?? known.popLast() { return entry }
        } catch {
          return .failure(path: path, error)
        }
      case .regular:
        if StoreSeam.isOpen(FileIdentity(status)) { return .leftOut(LeftOut(path, .ofStore)) }
        // Its text would be no note.
        if !isGiven, path.lowercased().hasSuffix(".enex") {
          return .leftOut(LeftOut(path, .exportInFolder))
        }
        if !resourcePaths.isEmpty, resourcePaths.remove(Array(path.utf8)) != nil { continue }
        return .file(
          File(
            path: path,
            stamp: FileStamp(status),
            folder: isGiven ? nil : place.given,
            description: place.description
          )
        )
      case .symbolicLink:
        if let reason = links == nil ? .link : links?.reasonToLeaveOut(path) {
          return .leftOut(LeftOut(path, reason))
        }
        var followed = place
        (followed.isFollowed, followed.isThroughLink) = (true, true)
        pending.append(followed)
      default:
        guard isGiven else { return .leftOut(LeftOut(path, LeftOut.Reason(ofSpecial: status))) }
        return .file(
          File(path: path, stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0), folder: nil)
        )
      }
    }
    return nil
  }

  private mutating func nextOfJoplin() -> Entry? {
    guard let folder = joplin?.folder else { return nil }
    if let item = joplin?.export.next() { return .item(item, folder: folder) }
    return joplin?.export.nextLeftOut().map(Entry.leftOut)
  }

  private mutating func visit(_ place: Place) throws(FileError) {
    let (folder, given) = (place.path, place.given)
    let prefix = folder.withSlash
    let names = try OpenFolder(folder).names()
    let textNames = names.filter(\.isText).map(\.name)
    let export = JoplinExport(in: folder, textNames)
    joplin = export.map { ($0, given) }
    var silentNames = export?.itemNames ?? []
    let descriptions = descriptions(in: folder, of: place, textNames, &silentNames)
    resourcePaths.formUnion(export?.resourcePaths ?? [])
    let formerPages = LeftOut.Reason(ofFormerPagesIn: folder, textNames)
    let found =
      names
      .filter { !silentNames.contains($0.name) }
      .map {
        Place(
          path: prefix + $0.name,
          given: given,
          isGiven: false,
          isText: $0.isText,
          isThroughLink: place.isThroughLink,
          reason: LeftOut.Reason(ofName: $0.name, in: prefix, includesHidden: includesHidden)
            ?? ($0.name == LeftOut.Reason.formerPagesName ? formerPages : nil),
          description: descriptions[$0.name]
        )
      }
    pending += found.sorted { $0.path > $1.path }
  }

  /// Returns the properties that some files of a folder have of others, and adds the names of the
  /// former.
  ///
  /// Without a place the files themselves were given.
  private mutating func descriptions(
    in folder: String,
    of place: Place?,
    _ names: [String],
    _ silentNames: inout Set<String>
  ) -> [String: FileDescription] {
    let prefix = folder.withSlash
    let items = silentNames
    let visited = names.filter { name in
      !silentNames.contains(name) && (includesHidden || place == nil || !name.hasPrefix("."))
        && (resourcePaths.isEmpty || !resourcePaths.contains(Array((prefix + name).utf8)))
    }
    let xmp = XMPFolder(in: folder, visited)
    silentNames.formUnion(xmp.silentNames)
    known += xmp.leftOut.reversed().map(Entry.leftOut)
    // `IMG.jpg.xmp` would look like the picture of `IMG.jpg.json`.
    let others = names.filter { !xmp.silentNames.contains($0) }
    var descriptions: [String: FileDescription] = [:]
    var useless = Set(xmp.leftOut.map(\.path))
    let beside = place == nil ? [] : takeout.sisters(of: folder)
    if let takeout = TakeoutFolder(in: folder, others, sisters: beside, &takeoutReadings) {
      useless.formUnion(takeout.leftOut.map(\.path))
      useless.subtract(takeout.usedPaths)
      descriptions = takeout.descriptions
      silentNames.formUnion(takeout.silentNames)
      known += takeout.leftOut.reversed().map(Entry.leftOut)
      known += takeout.notes.reversed().map { .item($0, folder: place?.given) }
    }
    var name = folder.fileName
    if let place, place.isGiven { name = roots[place.given].url.path.fileName }
    if let bundle = TextBundle(in: folder, others, named: name) {
      silentNames.insert(TextBundle.infoName)
      descriptions[bundle.textName] = bundle.text
      assets[folder.withSlash + TextBundle.assetsName] = bundle.assets
    } else if place != nil, TextBundle.isName(name) {
      known.append(.leftOut(LeftOut(folder, .bundleWithoutText)))
    }
    if let description = assets.removeValue(forKey: folder) {
      for name in others where descriptions[name] == nil {
        var own = description
        own.identity = description.identity.map { "\($0)/\(name)" }
        descriptions[name] = own
      }
    }
    for (name, description) in xmp.descriptions {
      descriptions[name] = descriptions[name].map { description.completed(by: $0) } ?? description
    }
    // They come first: an item may have the file of a text.
    for name in silentNames.subtracting(items).sorted(by: >) {
      let stamp = FileStamp(modifiedNanoseconds: 0, byteCount: 0)
      let file = File(path: prefix + name, stamp: stamp, folder: place?.given)
      known.append(.describing(file, isUsed: !useless.contains(file.path)))
    }
    return descriptions
  }

  private static func nameless(_ path: String) -> SnippetStoreError {
    SnippetStoreError(
      .unreadable,
      "import a file",
      because: "\(path): the name is not UTF-8",
      do: "Rename it, as with: convmv -f latin1 -t utf8 -r --notest FOLDER"
    )
  }
}

extension LeftOut.Reason {
  /// The reason why a name in a folder, whose path ends with a slash, is not visited; `nil` if it
  /// is.
  init?(ofName name: String, in folder: String, includesHidden: Bool) {
    if UnfinishedFile.isName(name) {
      self = .unfinished
    } else if FileBesideStore.isName(name, in: folder) {
      self = .ofStore
    } else if !includesHidden, name.hasPrefix(".") {
      self = .hidden
    } else {
      return nil
    }
  }

  /// The folder in which Logseq keeps a copy of each page as it was before a change.
  fileprivate static let formerPagesName = "bak"

  /// The reason why the former pages in a folder are not visited; `nil` if it has none.
  fileprivate init?(ofFormerPagesIn folder: String, _ names: [String]) {
    guard folder.fileName == "logseq", names.contains("config.edn"),
      names.contains(Self.formerPagesName)
    else { return nil }
    let place = folder.withSlash + Self.formerPagesName
    // A link is left out as one.
    guard (try? Stat(place, followTargetSymlink: false))?.type == .directory else { return nil }
    var (count, folders) = (0, [place])
    while let folder = folders.popLast() {
      for name in (try? OpenFolder(folder).names()) ?? [] {
        let path = folder.withSlash + name.name
        if (try? Stat(path, followTargetSymlink: false))?.type == .directory {
          folders.append(path)
        } else {
          count += 1
        }
      }
    }
    self = .formerPages(count)
  }

  /// The reason why something is no file, no folder and no link.
  init(ofSpecial status: Stat) {
    self =
      switch status.type {
      case .fifo: .pipe
      case .socket: .socket
      default: .device
      }
  }
}
