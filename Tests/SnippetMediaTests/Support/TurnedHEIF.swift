import Foundation
import SnippetTestSupport

/// Adds to a HEIF image how it is turned, as the cameras of phones write it.
///
/// The properties `irot` and `imir` turn the primary item; EXIF's orientation beside them is a
/// repetition for programs that know neither.
enum TurnedHEIF {
  struct Unexpected: Error {}

  /// Adds properties to the primary item of an image that heif-enc made.
  ///
  /// - Parameters:
  ///   - heif: The image.
  ///   - properties: The boxes, in the order in which they apply.
  /// - Returns: The image with them.
  /// - Throws: ``Unexpected`` when it is built in another way.
  static func added(to heif: Data, _ properties: [[UInt8]]) throws -> Data {
    let bytes = [UInt8](heif)
    let top = boxes(bytes)
    guard let meta = top.first(where: { $0.name == "meta" }), meta.content.count > 4 else {
      throw Unexpected()
    }
    let addedCount = properties.reduce(0) { $0 + $1.count + 1 }
    let children = boxes(Array(meta.content.dropFirst(4)))
    guard let primary = children.first(where: { $0.name == "pitm" })?.content.suffix(2) else {
      throw Unexpected()
    }
    var parts: [UInt8] = Array(meta.content[..<4])
    for child in children {
      switch child.name {
      case "iprp": parts += box("iprp", try turned(child.content, primary, properties))
      case "iloc": parts += box("iloc", try moved(child.content, by: addedCount))
      default: parts += box(child.name, child.content)
      }
    }
    return Data(
      top.flatMap { box($0.name, $0.name == "meta" ? parts : $0.content) }
    )
  }

  private static func boxes(_ bytes: [UInt8]) -> [(name: String, content: [UInt8])] {
    var found: [(name: String, content: [UInt8])] = []
    var offset = 0
    while offset + 8 <= bytes.count {
      let size = Int(number(bytes[offset..<offset + 4]))
      guard size >= 8, offset + size <= bytes.count else { break }
      let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      found.append((name, Array(bytes[offset + 8..<offset + size])))
      offset += size
    }
    return found
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The properties and their associations, of which those of the primary item become more.
  private static func turned(
    _ content: [UInt8],
    _ primary: ArraySlice<UInt8>,
    _ properties: [[UInt8]]
  ) throws -> [UInt8] {
    let children = boxes(content)
    guard children.map(\.name) == ["ipco", "ipma"] else { throw Unexpected() }
    let firstNumber = UInt8(boxes(children[0].content).count + 1)
    let numbers = properties.indices.map { 0x80 | firstNumber + UInt8($0) }
    var associations = children[1].content
    guard associations.count > 8, number(associations[0..<4]) == 0 else { throw Unexpected() }
    var offset = 8
    for _ in 0..<number(associations[4..<8]) {
      let count = Int(associations[offset + 2])
      if associations[offset..<offset + 2] == primary {
        associations[offset + 2] += UInt8(properties.count)
        associations.insert(contentsOf: numbers, at: offset + 3 + count)
        return box("ipco", children[0].content + properties.flatMap { $0 })
          + box("ipma", associations)
      }
      offset += 3 + count
    }
    throw Unexpected()
  }

  /// The places of the items in the file, further on by what was added before them.
  private static func moved(_ content: [UInt8], by count: Int) throws -> [UInt8] {
    var content = content
    // Offsets and lengths of four bytes each, and bases of four or none.
    guard content.count > 8, content[0] < 2, content[4] == 0x44, [0, 0x40].contains(content[5])
    else { throw Unexpected() }
    let hasMethods = content[0] == 1
    let baseByteCount = Int(content[5] >> 4)
    var offset = 8
    for _ in 0..<number(content[6..<8]) {
      // Others lie within a box, or in another item.
      let isInFile = !hasMethods || number(content[offset + 2..<offset + 4]) == 0
      offset += (hasMethods ? 6 : 4) + baseByteCount
      let extentCount = number(content[offset..<offset + 2])
      offset += 2
      for _ in 0..<extentCount {
        let place = number(content[offset..<offset + 4]) + (isInFile ? UInt32(count) : 0)
        content.replaceSubrange(offset..<offset + 4, with: big(place))
        offset += 8
      }
    }
    return content
  }
}
