/// The parts of a path, by its bytes.
///
/// Those of Foundation end the process at some texts with two slashes, as `https://é`.
extension String {
  /// The name at the end of a path; slashes behind it do not count, and that of the root is a slash.
  package var fileName: String {
    guard let end = endOfName else { return isEmpty ? "" : "/" }
    return String(self[startOfName(before: end)..<end])
  }

  /// The path of the folder that a path is in; empty if the path is a name alone.
  package var folderPath: String {
    guard let end = endOfName else { return isEmpty ? "" : "/" }
    let start = startOfName(before: end)
    guard start > startIndex else { return "" }
    return self[..<start].end(besides: Self.slash).map { String(self[..<$0]) } ?? "/"
  }

  /// The extension of the name at the end of a path, without the full stop; empty if it has none.
  package var fileExtension: String { startOfFileExtension.map { String(self[$0...]) } ?? "" }

  /// The path without the extension of the name at its end.
  package var withoutFileExtension: String {
    startOfFileExtension.map { String(self[..<utf8.index(before: $0)]) } ?? self
  }

  /// The names in a path, without slashes.
  package var pathNames: [Substring] {
    utf8.split(separator: Self.slash).map { Substring($0) }
  }

  private static let slash = UInt8(ascii: "/")

  private var endOfName: Index? { self[...].end(besides: Self.slash) }

  private func startOfName(before end: Index) -> Index {
    utf8[..<end].lastIndex(of: Self.slash).map { utf8.index(after: $0) } ?? startIndex
  }

  private var startOfFileExtension: Index? {
    let start = startOfName(before: endIndex)
    let stop = utf8[start...].lastIndex(of: UInt8(ascii: "."))
    guard let stop, utf8[start..<stop].contains(where: { $0 != UInt8(ascii: ".") }) else {
      return nil
    }
    let first = utf8.index(after: stop)
    return first < endIndex ? first : nil
  }
}

extension Substring {
  /// The end without the bytes of one kind at the end; `nil` if there are no others.
  fileprivate func end(besides byte: UInt8) -> Index? {
    utf8.lastIndex { $0 != byte }.map { utf8.index(after: $0) }
  }
}
