/// Reads sizes as people write them: `>1MB`, `<=10kB`, `1MB..5MB`, `0`.
enum SizeWords {
  /// Returns the bounds that a text describes; `nil` if it describes none.
  static func bounds(_ text: String) -> [QueryExpression.Condition]? {
    if let dots = text.firstRange(of: "..") {
      guard let least = byteCount(text[..<dots.lowerBound]),
        let most = byteCount(text[dots.upperBound...]), least <= most
      else { return nil }
      return [.sizeFrom(least), .sizeTo(most)]
    }
    let sign = text.prefix { "<>=".contains($0) }
    guard let size = byteCount(text[sign.endIndex...]) else { return nil }
    switch sign {
    case ">": return [.sizeFrom(size == .max ? size : size + 1)]
    case ">=": return [.sizeFrom(size)]
    case "<": return [.sizeTo(size - 1)]
    case "<=": return [.sizeTo(size)]
    case "", "=": return [.sizeFrom(size), .sizeTo(size)]
    default: return nil
    }
  }

  /// Writes a size in the largest unit that divides it.
  static func text(_ byteCount: Int64) -> String {
    // Larger numbers cannot be read back exactly with a unit, beyond 15 digits.
    guard byteCount > 0, byteCount < 1_000_000_000_000_000 else { return String(byteCount) }
    for (unit, factor) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
      as [(String, Int64)]
    where byteCount.isMultiple(of: factor) {
      return "\(byteCount / factor)\(unit)"
    }
    return String(byteCount)
  }

  /// Reads a number with or without a unit, in bytes; sizes beyond the largest integer become that.
  private static func byteCount(_ text: Substring) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard digits.utf8.count <= 30, digits.first?.isNumber == true, digits.last?.isNumber == true,
      let number = Double(digits)
    else { return nil }
    let factor: Double
    switch text[digits.endIndex...].lowercased() {
    case "", "b": factor = 1
    case "k", "kb": factor = 1e3
    case "m", "mb": factor = 1e6
    case "g", "gb": factor = 1e9
    case "t", "tb": factor = 1e12
    case "ki", "kib": factor = 1024
    case "mi", "mib": factor = 1_048_576
    case "gi", "gib": factor = 1_073_741_824
    case "ti", "tib": factor = 1_099_511_627_776
    default: return nil
    }
    // Keep a whole number exact, however long.
    if factor == 1, let whole = Int64(digits) { return whole }
    let size = (number * factor).rounded()
    return size < 0x1p63 ? Int64(size) : .max
  }
}
