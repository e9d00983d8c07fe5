import CTransfer
import Foundation
import SnippetBase
import SystemPackage

/// The parts of a document in XML, one after the other, read by the libxml2 of the system.
final class XMLParts {
  enum Part {
    /// An element, and whether it ends here.
    case start(String, isEmpty: Bool)
    case end(String)
    case text(Text)
    /// A reference to an entity that the document does not define, by its name.
    case entity(String)

    /// The characters of a text, or of an entity as they stand in the document; `nil` for an
    /// element.
    var characters: String? {
      switch self {
      case .text(let text): String(decoding: text.bytes, as: UTF8.self)
      case .entity(let name): "&\(name);"
      case .start, .end: nil
      }
    }
  }

  /// A text, which may have many megabytes, and is valid until the next part is read.
  struct Text {
    let bytes: UnsafeBufferPointer<UInt8>
  }

  /// The document is damaged.
  struct Damage: Error {
    let line: Int
  }

  /// Whether the library is there.
  static var isAvailable: Bool { snippet_xml_is_available() == 1 }

  /// The depth of elements from which on the library may stop to read HTML, without telling so: its
  /// limit is 256.
  private static let greatestHTMLDepth = 250

  /// Whether elements of HTML were nested so deep that there may be more than was read.
  private(set) var isTooDeep = false
  private var depth = 0
  private let isHTML: Bool
  private let reader: UnsafeMutableRawPointer
  /// The file, which must stay while it is read.
  private let file: OpenFile?
  /// The bytes, which must stay while they are read.
  private let bytes: UnsafeMutableRawBufferPointer?

  /// Begins to read a file; `nil` without the library.
  init?(_ file: OpenFile) {
    let head = (try? file.bytes(at: 0, count: 4096)) ?? []
    let declaresNothing: Int32 = XMLProlog.declaresNothing(head) ? 1 : 0
    guard let reader = snippet_xml_open(file.descriptor.rawValue, declaresNothing) else {
      return nil
    }
    (self.reader, self.file, bytes, isHTML) = (reader, file, nil, false)
  }

  /// Begins to read bytes; `nil` without the library, and for too many of them.
  init?(_ data: Data) {
    guard let count = Int32(exactly: data.count) else { return nil }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
    copy.copyBytes(from: data)
    let start = copy.assumingMemoryBound(to: CChar.self).baseAddress
    let declaresNothing: Int32 = XMLProlog.declaresNothing(data.prefix(4096)) ? 1 : 0
    guard let reader = snippet_xml_open_bytes(start, count, declaresNothing) else {
      copy.deallocate()
      return nil
    }
    (self.reader, file, bytes, isHTML) = (reader, nil, copy, false)
  }

  /// Begins to read HTML, with whatever mistakes; `nil` without the library, and for no text.
  init?(html: String) {
    var html = html
    let reader = html.withUTF8 { bytes in
      Int32(exactly: bytes.count).flatMap { count in
        bytes.withMemoryRebound(to: CChar.self) { snippet_html_open($0.baseAddress, count) }
      }
    }
    guard let reader else { return nil }
    (self.reader, file, bytes, isHTML) = (reader, nil, nil, true)
  }

  deinit {
    snippet_xml_close(reader)
    bytes?.deallocate()
  }

  /// Reads the next part; `nil` at the end.
  func next() throws(Damage) -> Part? {
    var part = snippet_xml_part()
    while true {
      switch snippet_xml_next(reader, &part) {
      case 1: break
      case 0: return nil
      default: throw Damage(line: Int(snippet_xml_line(reader)))
      }
      switch part.kind {
      case snippet_xml_start:
        let isEmpty = part.is_empty == 1
        if !isEmpty { depth += 1 }
        if isHTML, depth >= Self.greatestHTMLDepth { isTooDeep = true }
        return .start(String(cString: part.name), isEmpty: isEmpty)
      case snippet_xml_end:
        depth -= 1
        return .end(String(cString: part.name))
      case snippet_xml_text:
        let bytes = UnsafeRawBufferPointer(start: part.text, count: strlen(part.text))
        return .text(Text(bytes: bytes.assumingMemoryBound(to: UInt8.self)))
      case snippet_xml_entity: return .entity(String(cString: part.name))
      default: continue
      }
    }
  }

  /// Returns an attribute of the element that was read last; `nil` if it has none of that name.
  func attribute(_ name: String) -> String? {
    snippet_xml_attribute(reader, name).map { String(cString: $0) }
  }
}
