extension String {
  /// The extension of the name at the end of a path, without the full stop; empty if it has none.
  ///
  /// That of Foundation ends the process at some texts with two slashes, as `https://é`.
  package var fileExtension: String { startOfFileExtension.map { String(self[$0...]) } ?? "" }

  /// The path without the extension of the name at its end.
  package var withoutFileExtension: String {
    startOfFileExtension.map { String(self[..<utf8.index(before: $0)]) } ?? self
  }

  private var startOfFileExtension: Index? {
    let slash = utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { utf8.index(after: $0) } ?? startIndex
    guard let stop = utf8[name...].lastIndex(of: UInt8(ascii: ".")), stop > name else { return nil }
    let start = utf8.index(after: stop)
    return start < endIndex ? start : nil
  }
}
