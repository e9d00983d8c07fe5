import Foundation

/// The name of an object of a repository.
///
/// Any other name, as programs that synchronize folders make them for copies of their own, is none.
enum ObjectName: Hashable, Codable, Sendable {
  /// The mark of a repository.
  case format
  /// The head of a device.
  case head(DeviceID)
  /// A notice that lost log files of a device were given up.
  case notice(DeviceID)
  /// A log file of a device, counted from 1.
  case log(DeviceID, number: Int64)
  /// A part of a blob. The generation counts the times that it was uploaded anew.
  case blob(id: String, generation: Int64, part: Int64)
  /// A derivative of a blob.
  case thumb(id: String, recipe: String)
}

extension ObjectName: RawRepresentable {
  /// The length in bytes of the ids of blobs and of recipes.
  static let idLength = 16

  /// The name as carriers have it.
  var rawValue: String {
    switch self {
    case .format: "format"
    case .head(let device): "device/\(device.rawValue)"
    case .notice(let device): "device/\(device.rawValue).given"
    case .log(let device, let number): "log/\(device.rawValue)/\(Self.digits(number))"
    case .blob(let id, let generation, let part): "blob/\(id.prefix(2))/\(id).\(generation)-\(part)"
    case .thumb(let id, let recipe): "thumb/\(id.prefix(2))/\(id)-\(recipe)"
    }
  }

  /// Reads a name; `nil` for that of a foreign file.
  init?(rawValue: String) {
    let parts = rawValue.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let words = parts.last.map { $0.split { ".-".contains($0) }.map(String.init) } ?? []
    let name: ObjectName? =
      switch (parts[0], parts.count, words.count) {
      case ("format", 1, _): .format
      case ("device", 2, 2): DeviceID(rawValue: words[0]).map { .notice($0) }
      case ("device", 2, _): DeviceID(rawValue: parts[1]).map { .head($0) }
      case ("log", 3, _):
        if let device = DeviceID(rawValue: parts[1]), let number = Int64(parts[2]), number > 0 {
          .log(device, number: number)
        } else {
          nil
        }
      case ("blob", 3, 3):
        if let generation = Int64(words[1]), let part = Int64(words[2]) {
          .blob(id: words[0], generation: generation, part: part)
        } else {
          nil
        }
      case ("thumb", 3, 2): .thumb(id: words[0], recipe: words[1])
      default: nil
      }
    // Refuses every spelling but one: numbers with other zeros, ids in other folders.
    guard let name, name.rawValue == rawValue, name.hasIDs else { return nil }
    self = name
  }

  private var hasIDs: Bool {
    switch self {
    case .blob(let id, _, _): id.isHexadecimal(byteCount: Self.idLength)
    case .thumb(let id, let recipe):
      [id, recipe].allSatisfy { $0.isHexadecimal(byteCount: Self.idLength) }
    default: true
    }
  }

  /// Spells a number with 8 digits or more, so that all names below 100,000,000 sort as numbers do.
  private static func digits(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
