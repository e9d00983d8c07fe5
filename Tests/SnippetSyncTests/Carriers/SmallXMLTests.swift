import Foundation
import SnippetSync
import Testing

struct SmallXMLTests {
  private func elements(of text: String) throws -> [String] {
    var elements: [String] = []
    try SmallXML.read(Data(text.utf8)) { path, text in
      elements.append("\(path.joined(separator: "/"))=\(text)")
    }
    return elements
  }

  @Test func `each element is told with its text`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- <not> this -->
      <List xmlns="http://s3.amazonaws.com/doc/2006-03-01/" b='>'><Name>a &amp; b&#33;&#x41;</Name>\
      <Empty/><Gone /><Part><Key>ü</Key ></Part></List>
      """
    #expect(
      try elements(of: text) == [
        "List/Name=a & b!A", "List/Empty=", "List/Gone=", "List/Part/Key=ü", "List/Part=", "List=",
      ]
    )
  }

  @Test(arguments: [
    "", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a", "<a b='></a>", "<a>&unknown;</a>",
    "<a>&amp</a>", "<a>&#xD800;</a>", "<a>&#;</a>", "<a><![CDATA[x]]></a>", "<!DOCTYPE a><a/>",
    "<a><!-- </a>", "<?xml <a/>", "<>", "< a/>", "<a>\u{0}<//a>",
    String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
  ])
  func `anything else is malformed`(_ text: String) {
    #expect(throws: SmallXML.Malformed.self) { try elements(of: text) }
  }

  @Test func `bytes that are no text are malformed`() {
    #expect(throws: SmallXML.Malformed.self) {
      try SmallXML.read(Data([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E])) { _, _ in }
    }
  }
}
