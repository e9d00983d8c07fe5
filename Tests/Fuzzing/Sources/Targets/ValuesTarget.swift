import Foundation
import SnippetLoading
import SnippetRecognition
import SnippetStorage

@testable import SnippetExchange

extension FuzzTarget {
  /// Reads the values that an app keeps as JSON, and those that the package itself keeps: texts
  /// that could not be saved, properties of files.
  ///
  /// The first byte chooses the type.
  static let values = FuzzTarget("values") { bytes in
    var input = FuzzBytes(bytes)
    let types: [any (Codable & Equatable).Type] = [
      SnippetRow.self, SnippetFilter.self, SnippetOrder.self, SnippetEdit.self, MediaFacts.self,
      ContentType.self, ChangeNumber.self, UnsavedText.self, FileNote.self,
    ]
    let type = types[Int(input.byte()) % types.count]
    try requireValue(type, Data(input.rest))
  }

  private static func requireValue<Value: Codable & Equatable>(
    _ type: Value.Type,
    _ bytes: Data
  ) throws {
    guard let value = try? JSONDecoder().decode(type, from: bytes) else { return }
    let again = try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    try require(again == value, "\(value) is read as \(again)")
  }
}
