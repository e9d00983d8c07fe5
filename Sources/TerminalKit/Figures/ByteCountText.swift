/// A number of bytes in decimal units, such as `1.2 MB`.
///
/// A kilobyte (kB) is 1,000 bytes, as on the label of a disk and in file managers. Values below 100
/// of a unit have one decimal, others none; the last digit is rounded.
package struct ByteCountText: CustomStringConvertible, Sendable {
  private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

  /// The text.
  package let description: String

  /// Describes a number of bytes.
  package init(_ byteCount: Int64) {
    let sign = byteCount < 0 ? "-" : ""
    description = sign + Self.text(of: byteCount.magnitude)
  }

  private static func text(of byteCount: UInt64) -> String {
    guard byteCount >= 1000 else { return "\(byteCount) B" }
    var scale: UInt64 = 1000
    for unit in units.dropFirst() {
      // Rounding may carry into the next unit: 999,950 bytes are 1.0 MB, not 1000 kB.
      if let text = number(byteCount, over: scale) { return "\(text) \(unit)" }
      scale *= 1000
    }
    return "\(byteCount) B"
  }

  private static func number(_ byteCount: UInt64, over scale: UInt64) -> String? {
    let (tenths, rest) = byteCount.quotientAndRemainder(dividingBy: scale / 10)
    let roundedTenths = tenths + (rest >= scale / 20 ? 1 : 0)
    if roundedTenths < 1000 { return "\(roundedTenths / 10).\(roundedTenths % 10)" }
    let (ones, onesRest) = byteCount.quotientAndRemainder(dividingBy: scale)
    let roundedOnes = ones + (onesRest >= scale / 2 ? 1 : 0)
    return roundedOnes < 1000 ? "\(roundedOnes)" : nil
  }
}
