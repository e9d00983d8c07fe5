import Foundation
import SnippetTestSupport

/// The files of a folder when the power fails: what was synced is there, and of the rest whatever
/// the disk happened to have written.
///
/// A file keeps its content when it is renamed. What a folder says is one of two things: in order
/// with everything else, as the usual file systems have it, or safe only after a sync of the folder.
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

  private struct File {
    var durable = Data()
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
        files[index].durable = content(of: files[index], keeping: { _ in true })
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
    case .link(let path, let name): names[name] = names[path]
    case .acknowledgement(let what): acknowledged.append(what)
    }
  }

  /// The files as they are found after the power has failed now.
  ///
  /// - Parameters:
  ///   - loss: What happens to what was never synced.
  ///   - namesNeedSync: Whether a name is safe only after a sync of its folder.
  ///   - generator: Decides where chance does.
  /// - Returns: Their contents by their paths.
  func contents(
    after loss: Loss,
    namesNeedSync: Bool,
    _ generator: inout SeededGenerator
  ) -> [String: Data] {
    var first: Int?
    return (namesNeedSync ? durableNames : names).mapValues { index in
      let file = files[index]
      let last = file.pending.count - 1
      switch loss {
      case .none: return content(of: file) { _ in true }
      case .all: return file.durable
      case .random:
        let kept = file.pending.map { _ in generator.chance(0.5) }
        let torn = generator.chance(0.5) ? last : nil
        return content(of: file, tearing: torn, at: generator.below(4096)) { kept[$0] }
      case .first:
        if first == nil, !file.pending.isEmpty { first = index }
        return content(of: file) { first != index || $0 > 0 }
      case .tornSector: return content(of: file, tearing: last, at: 256) { _ in true }
      case .tornPage: return content(of: file, tearing: last, at: 4096) { _ in true }
      }
    }
  }

  private func content(
    of file: File,
    tearing torn: Int? = nil,
    at byteCount: Int = 0,
    keeping isKept: (Int) -> Bool
  ) -> Data {
    var data = file.durable
    for (number, change) in file.pending.enumerated() where isKept(number) {
      switch change {
      case .truncation(let byteCount):
        data = data.prefix(byteCount) + Data(count: max(0, byteCount - data.count))
      case .write(var bytes, let offset):
        if number == torn { bytes = bytes.prefix(byteCount) }
        if data.count < offset + bytes.count {
          data.append(Data(count: offset + bytes.count - data.count))
        }
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
    }
    return data
  }
}
