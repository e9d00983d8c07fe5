extension Int {
  /// A number of things: 1 blob, 2 blobs.
  ///
  /// - Parameter noun: The name of one of them.
  /// - Returns: The number and the noun.
  package func counted(_ noun: String) -> String {
    "\(self) \(noun)\(self == 1 ? "" : "s")"
  }
}
