import SnippetLoading
import SnippetStorage
import SnippetTesting

extension ScriptedLoader {
  /// The positions in the default list whose pictures were read, in the order of the reads.
  var positionsRead: [Int] { source.reads.map { Int($0.blobID?.rawValue ?? 0) - 1 } }

  /// The cells of a screen at the top of the list, loaded.
  func screen(of count: Int) -> [RecordingCell] {
    loader.show(visible: 0..<count)
    let cells = (0..<count).map { boundCell(to: $0) }
    settle()
    return cells
  }
}
