import Foundation
import SnippetTestSupport

/// The files of a folder when the power fails: what was synced is there, and of the rest whatever
/// the disk happened to have written.
///
/// A file keeps its content when it is renamed. What a folder says is one of two things: in order
/// with everything else, as the usual file systems have it, or safe only after a sync of the
/// folder.
struct SimulatedDisk {
  /// What happens to what was never synced.
  enum Loss: CaseIterable {
    /// Nothing: the process was killed, the system went on.
    case none
    case all
    /// Each write is lost or not, and the last may be torn anywhere.
    case random
    /// The first write that could be lost is, the later ones are not.
    case first
    /// Half of a sector of the last write arrives.
    case tornSector
    /// The first page of the last write arrives.
    case tornPage
  }

  /// What became of the files, as what is left of each: to tell two apart needs none of their
  /// bytes.
  struct State: Hashable {
    fileprivate var files: [String: Remains] = [:]
  }

  /// What is left of a file.
  fileprivate struct Remains: Hashable {
    var file: Int
    /// How many of its writes arrived, from the first on.
    var count: Int
    /// The later ones that arrived too, by their numbers.
    var later: [Int] = []
    /// The one of them that arrived in part only, and how much of it.
    var torn: Tear?
  }

  fileprivate struct Tear: Hashable {
    var number: Int
    var byteCount: Int
  }

  private struct File {
    var durable = Data()
    /// How many writes are in it.
    var durableCount = 0
    /// What was done since the last sync.
    var pending: [Change] = []
  }

  private enum Change {
    case write(Data, offset: Int)
    case truncation(byteCount: Int)
  }

  private var files: [File] = []
  private var names: [String: Int] = [:]
  /// What the names would be if only synced folders counted.
  private var durableNames: [String: Int] = [:]
  /// What was acknowledged.
  private(set) var acknowledged: [String] = []

  /// Begins with files that are safe.
  init(_ contents: [String: Data]) {
    for (path, data) in contents {
      names[path] = files.count
      files.append(File(durable: data))
    }
    durableNames = names
  }

  /// The file that has a name; one that is not known yet is made.
  private mutating func file(_ path: String) -> Int {
    if let index = names[path] { return index }
    names[path] = files.count
    files.append(File())
    return files.count - 1
  }

  /// Takes the next event.
  mutating func apply(_ event: DiskRecording.Event) {
    switch event {
    case .creation(let path): _ = file(path)
    case .write(let path, let data, let offset):
      files[file(path)].pending.append(.write(data, offset: offset))
    case .truncation(let path, let byteCount):
      files[file(path)].pending.append(.truncation(byteCount: byteCount))
    case .sync(let path):
      if let index = names[path] {
        guard !files[index].pending.isEmpty else { return }
        files[index].durable = content(of: remains(of: index) { _ in true })
        files[index].durableCount += files[index].pending.count
        files[index].pending = []
      } else {
        let isInside = { (name: String) in (name as NSString).deletingLastPathComponent == path }
        durableNames = durableNames.filter { !isInside($0.key) }
        durableNames.merge(names.filter { isInside($0.key) }) { $1 }
      }
    case .deletion(let path): names[path] = nil
    case .rename(let path, let name):
      names[name] = names[path]
      names[path] = nil
    case .exchange(let path, let name): (names[path], names[name]) = (names[name], names[path])
    case .link(let path, let name): names[name] = names[path]
    case .acknowledgement(let what): acknowledged.append(what)
    }
  }

  /// What is left after the power has failed now.
  ///
  /// - Parameters:
  ///   - loss: What happens to what was never synced.
  ///   - namesNeedSync: Whether a name is safe only after a sync of its folder.
  ///   - generator: Decides where chance does.
  /// - Returns: The state, for ``contents(of:)`` of this disk.
  func state(
    after loss: Loss,
    namesNeedSync: Bool,
    _ generator: inout SeededGenerator
  ) -> State {
    var first: Int?
    let left = (namesNeedSync ? durableNames : names).mapValues { index in
      let pending = files[index].pending
      switch loss {
      case .none: return remains(of: index) { _ in true }
      case .all: return remains(of: index) { _ in false }
      case .random:
        let kept = pending.map { _ in generator.chance(0.5) }
        let isTorn = generator.chance(0.5)
        return remains(of: index, tearingAt: isTorn ? generator.below(4096) : nil) { kept[$0] }
      case .first:
        if first == nil, !pending.isEmpty { first = index }
        return remains(of: index) { first != index || $0 > 0 }
      case .tornSector: return remains(of: index, tearingAt: 256) { _ in true }
      case .tornPage: return remains(of: index, tearingAt: 4096) { _ in true }
      }
    }
    return State(files: left)
  }

  /// The contents of the files by their paths.
  func contents(of state: State) -> [String: Data] {
    state.files.mapValues { content(of: $0) }
  }

  /// What is left of a file of which some writes arrive, and of the last perhaps a part only.
  private func remains(
    of index: Int,
    tearingAt byteCount: Int? = nil,
    keeping isKept: (Int) -> Bool
  ) -> Remains {
    let file = files[index]
    var remains = Remains(file: index, count: file.durableCount)
    for (number, change) in file.pending.enumerated() where isKept(number) {
      let number = file.durableCount + number
      if number == remains.count { remains.count += 1 } else { remains.later.append(number) }
      if let byteCount, number == file.durableCount + file.pending.count - 1,
        case .write(let bytes, _) = change, bytes.count > byteCount
      {
        remains.torn = Tear(number: number, byteCount: byteCount)
      }
    }
    return remains
  }

  private func content(of remains: Remains) -> Data {
    let file = files[remains.file]
    var data = file.durable
    for (index, change) in file.pending.enumerated() {
      let number = file.durableCount + index
      guard number < remains.count || remains.later.contains(number) else { continue }
      switch change {
      case .truncation(let byteCount):
        data = data.prefix(byteCount) + Data(count: max(0, byteCount - data.count))
      case .write(var bytes, let offset):
        if let torn = remains.torn, torn.number == number { bytes = bytes.prefix(torn.byteCount) }
        if data.count < offset + bytes.count {
          data.append(Data(count: offset + bytes.count - data.count))
        }
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
    }
    return data
  }
}
