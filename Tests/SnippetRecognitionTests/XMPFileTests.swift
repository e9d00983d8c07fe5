import Foundation
import Testing

@testable import SnippetRecognition

/// The properties in files of XMP, whichever program wrote them.
struct XMPFileTests {
  private func file(_ elements: String, _ attributes: String = "") throws -> XMPFile {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>
      <rdf:Description \(attributes)>\(elements)</rdf:Description>
      </rdf:RDF></x:xmpmeta>
      """
    return try #require(try XMPFile(Array(text.utf8)))
  }

  private func list(_ name: String, _ items: String...) -> String {
    let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    return "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
  }

  @Test func `the default language counts before the others`() throws {
    let file = try file(
      """
      <dc:title><rdf:Alt><rdf:li xml:lang="de">Das Meer</rdf:li>
      <rdf:li xml:lang='x-default'>The sea</rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li xml:lang="de">Wir &amp; es</rdf:li>
      <rdf:li xml:lang="x-default"></rdf:li></rdf:Alt></dc:description>
      """
    )

    #expect(file.title == "The sea")
    // One that says nothing does not count.
    #expect(file.note == "Wir & es")
    #expect(file.furtherTexts == [.further(name: "dc:title")])
  }

  @Test func `other languages are named once if they say something else`() throws {
    let file = try file(
      """
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">The sea</rdf:li>
      <rdf:li xml:lang="en-US">The sea</rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Waves</rdf:li>
      <rdf:li xml:lang="de">Wellen</rdf:li><rdf:li xml:lang="fr">Vagues</rdf:li>
      </rdf:Alt></dc:description>
      """
    )

    #expect(file.furtherTexts == [.further(name: "dc:description")])
  }

  @Test func `keywords below others count if there are no plain ones`() throws {
    let paths = list("lr:hierarchicalSubject", "darktable|format|cr2", "Animals|Dogs")
    let own = list("darktable:history", "x") + list("lr:hierarchicalSubject", "darktable|exported")
    let tags = list("digiKam:TagsList", "People/Anna", "Sea")

    #expect(try file(paths + tags).keywords == ["Animals/Dogs"])
    #expect(try file(own + tags).keywords == ["People/Anna", "Sea"])
    #expect(try file(list("dc:subject", "Dogs") + paths + tags).keywords == ["Dogs"])
  }

  @Test func `the moment that a picture shows is another one than that of its bytes`() throws {
    let moment = "2026-01-31T12:00:00+05:30"
    let date = Date(timeIntervalSince1970: 1_769_841_000)
    let other = #"xmp:CreateDate="2027-01-01T00:00Z""#
    for name in ["exif:DateTimeOriginal", "photoshop:DateCreated"] {
      #expect(try file("", "\(name)=\"\(moment)\" \(other)").takenAt == date)
    }
    let both = #"photoshop:DateCreated="2027-01-01T00:00Z" exif:DateTimeOriginal="\#(moment)""#
    #expect(try file("", both).takenAt == date)
    let file = try file("<xmp:CreateDate>\(moment)</xmp:CreateDate>")
    #expect(file.takenAt == nil && file.digitizedAt == date)
  }

  @Test func `a date that cannot be read or names no day is named`() throws {
    let dates = #"exif:DateTimeOriginal="yesterday" photoshop:DateCreated="1987-05""#
    let file = try file("<xmp:CreateDate>0000-00-00</xmp:CreateDate>", dates)

    #expect(file.takenAt == nil && file.digitizedAt == nil)
    #expect(file.unreadDates == ["exif:DateTimeOriginal", "photoshop:DateCreated"])
  }

  @Test func `an element may have attributes`() throws {
    let file = try file(
      """
      <dc:title xml:lang="en">The sea</dc:title>
      <lr:hierarchicalSubject xmlns:lr="http://ns.adobe.com/lightroom/1.0/"><rdf:Bag>
      <rdf:li>Animals|Dogs</rdf:li></rdf:Bag></lr:hierarchicalSubject>
      <dc:description xml:lang="en"/><dc:descriptionOfMine xml:lang="en">No</dc:descriptionOfMine>
      """
    )

    #expect(file.title == "The sea" && file.keywords == ["Animals/Dogs"])
    #expect(file.note == nil)
  }

  @Test func `a comment or CDATA cuts no value`() throws {
    let file = try file(
      """
      <dc:title>The <!-- <dc:title>No</dc:title> -->sea</dc:title>
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Wind <![CDATA[& <b>waves</b>]]>!\
      </rdf:li></rdf:Alt></dc:description>
      """
    )

    #expect(file.title == "The sea" && file.note == "Wind & <b>waves</b>!")
  }

  @Test func `a name space may have another prefix`() throws {
    let text = """
      <m:xmpmeta xmlns:m='adobe:ns:meta/'>
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description xmlns:d="http://purl.org/dc/elements/1.1/" title="d:title='No'"
       xmlns:xap = "http://ns.adobe.com/xap/1.0/" xap:Rating="5" xap:CreateDate="2026-01-31">
      <d:title><r:Alt><r:li>r:li of d:title</r:li></r:Alt></d:title>
      <d:subject><r:Bag><r:li>Sea</r:li><r:li>Wind</r:li></r:Bag></d:subject>
      </r:Description></r:RDF></m:xmpmeta>
      """
    let file = try #require(try XMPFile(Array(text.utf8)))

    #expect(file.title == "r:li of d:title" && file.keywords == ["Sea", "Wind"])
    #expect(file.digitizedAt != nil && file.unreadNames == ["xmp:Rating"])
  }

  @Test func `values without a place are named if they say something`() throws {
    let names = try file("<xmp:Label>Red</xmp:Label>", #"xmp:Rating="5""#).unreadNames
    #expect(names == ["xmp:Label", "xmp:Rating"])
    let people = list("Iptc4xmpExt:PersonInImage", "Anna")
    let more = try file(people, #"photoshop:City="Berlin" mwg-rs:Name="""#).unreadNames
    #expect(more == ["Iptc4xmpExt:PersonInImage", "photoshop:City"])
    #expect(try file("", #"xmp:Rating="0" xmp:Label="""#).unreadNames.isEmpty)
  }

  @Test func `a file or a packet may be in UTF-16, and have a mark`() throws {
    let text = "<x:xmpmeta><rdf:RDF><dc:title>The Küste</dc:title></rdf:RDF></x:xmpmeta>"
    for text in [text, "\u{FEFF}" + text] {
      let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for bytes in [Array(text.utf8), little, big] {
        #expect(try XMPFile(bytes)?.title == "The Küste")
        #expect(XMPText.titles(in: XMPText.utf8(bytes)).first == "The Küste")
      }
      let damaged = little + [0x00, 0xD8, 0x20, 0]
      #expect(throws: XMPFile.Flaw.notUTF16) { try XMPFile(damaged) }
      let cut = Array(big.dropLast(60))
      #expect(throws: XMPFile.Flaw.cutShort) { try XMPFile(cut) }
    }
  }

  @Test func `a file that is damaged or too long says nothing`() throws {
    let whole = Array("<x:xmpmeta><rdf:RDF><dc:title>Sea</dc:title></rdf:RDF></x:xmpmeta>".utf8)
    let room = XMPFile.maximumByteCount - whole.count
    #expect(try XMPFile(whole + Array(repeating: 0x20, count: room))?.title == "Sea")
    let flawed: [([UInt8], XMPFile.Flaw)] = [
      (Array(whole.dropLast(25)), .cutShort), (whole + [0xFF], .notUTF8),
      (whole + Array(repeating: 0x20, count: room + 1), .tooLong),
    ]
    for (bytes, flaw) in flawed {
      #expect(throws: flaw) { try XMPFile(bytes) }
    }
    for text in ["", "words", "<svg><metadata/></svg>"] {
      #expect(try XMPFile(Array(text.utf8)) == nil)
    }
  }

  @Test func `properties without an end take no time`() throws {
    let open = String(repeating: "<dc:title><rdf:li", count: 60_000)
    let file = try file(open)

    #expect(file.title == nil && file.keywords.isEmpty)
  }
}
