extension String {
  /// The text with line feeds, if its lines end with carriage returns alone, as on old Macs; `nil` for
  /// others.
  var withLineFeeds: String? {
    guard !utf8.contains(0x0A), utf8.contains(0x0D) else { return nil }
    return replacing("\r", with: "\n")
  }
}
