import Foundation
import SnippetBase
import SystemPackage

/// The place of a store, in which a copy differs: the machine, the two numbers of the file and its path,
/// with a space after each of the first three.
enum StorePlace {
  /// Finds the place of the file at a path.
  static func of(_ path: String, on host: String) -> String {
    "\(host) \((try? Stat(path)).map(numbers(of:)) ?? "0 0") \(FileStatus.target(of: path))"
  }

  /// Whether two places are of one file, whatever its path was and is.
  static func areSameFile(_ one: String, _ other: String) -> Bool {
    parts(of: one).prefix(3) == parts(of: other).prefix(3)
  }

  /// Whether the file of a place is not there any more, so that a store elsewhere is likely to be the one
  /// that was there.
  ///
  /// It need not be: both may have been copied and moved. No more than the list of devices may depend on
  /// it. Where the disk of the place is not there either, nothing can be told.
  ///
  /// - Parameters:
  ///   - place: The former place.
  ///   - here: The place of the store.
  /// - Returns: Whether another file, or none, is there.
  static func isAbandoned(_ place: String, for here: String) -> Bool {
    let parts = parts(of: place)
    guard parts.count == 4, parts[0] == self.parts(of: here).first else { return false }
    let path = String(parts[3])
    do throws(Errno) {
      if try numbers(of: Stat(path)) == "\(parts[1]) \(parts[2])" { return false }
    } catch {
      guard error == .noSuchFileOrDirectory else { return false }
    }
    var folder = path.folderPath
    while folder.hasPrefix("/") {
      if let status = try? Stat(folder) { return "\(status.deviceID.rawValue)" == parts[1] }
      guard folder != "/" else { return false }
      folder = folder.folderPath
    }
    return false
  }

  private static func parts(of place: String) -> [Substring] {
    place.split(separator: " ", maxSplits: 3)
  }

  private static func numbers(of status: Stat) -> String {
    "\(status.deviceID.rawValue) \(status.inode.rawValue)"
  }
}
