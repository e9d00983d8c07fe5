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
    case text(String)
    /// A reference to an entity that the document does not define, by its name.
    case entity(String)
  }

  /// The document is damaged.
  struct Damage: Error {
    let line: Int
  }

  /// Whether the library is there.
  static var isAvailable: Bool { snippet_xml_is_available() == 1 }

  private let reader: UnsafeMutableRawPointer
  /// The file, which must stay while it is read.
  private let file: OpenFile?

  /// Begins to read a file; `nil` without the library.
  init?(_ file: OpenFile) {
    guard let reader = snippet_xml_open(file.descriptor.rawValue) else { return nil }
    (self.reader, self.file) = (reader, file)
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
    (self.reader, file) = (reader, nil)
  }

  deinit {
    snippet_xml_close(reader)
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
      case snippet_xml_start: return .start(String(cString: part.name), isEmpty: part.is_empty == 1)
      case snippet_xml_end: return .end(String(cString: part.name))
      case snippet_xml_text: return .text(String(cString: part.text))
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
