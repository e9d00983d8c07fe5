import Foundation
import SnippetBase
import SystemPackage

/// A file that an export replaces, in the state in which it was looked at.
struct FormerFile {
  let file: OpenFile
  let stamp: FileStamp
  /// The hash of its bytes.
  let sha256: Data
}

extension OpenFolder {
  /// Gives a new file the name of a former one, and removes that; if another program has written it
  /// since, removes the new one and returns `false`.
  ///
  /// The two exchange their names, and only then the former one is looked at, so an edit up to that
  /// moment keeps its name. A file system that cannot exchange names loses an edit between the last
  /// look and the renaming. After an error the new file is still there.
  func replace(
    _ former: FormerFile,
    _ name: String,
    by new: (file: OpenFile, name: String)
  ) throws(FileError) -> Bool {
    // Under its new name, another export would take it for a leftover.
    _ = former.file.lock()
    let stamp = FileStamp(try new.file.status())
    do throws(FileError) {
      guard try exchange(new.name, with: name) else {
        try rename(new.name, to: name)
        return true
      }
    } catch  where error.code == .noSuchFileOrDirectory {
      remove(new.name)
      return false
    }
    // From here on, what has the name of the new file may be the only copy of an edit.
    var failure: FileError?
    do {
      if try openFile(new.name).contentHash({}) == former.sha256 {
        remove(new.name)
        return true
      }
    } catch {
      failure = error as? FileError
    }
    if (try? exchange(new.name, with: name)) == true, self.stamp(of: new.name) == stamp {
      // A disk that cannot read the file tells nothing of another program.
      if let failure, failure.code == .ioError { throw failure }
      remove(new.name)
    } else {
      // The other program has written once more, over the new file: both of its versions stay.
      try? rename(new.name, toNew: "\(UUID().uuidString) \(name)")
    }
    return false
  }

  private func stamp(of name: String) -> FileStamp? {
    (try? openFile(name).status()).map(FileStamp.init)
  }
}
