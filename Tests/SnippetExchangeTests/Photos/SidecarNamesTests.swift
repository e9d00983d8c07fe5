import Testing

@testable import SnippetExchange

/// The names that Google Photos gives to the JSON beside pictures.
struct SidecarNamesTests {
  @Test(
    arguments: [
      ("IMG_1.jpg", "IMG_1.jpg.json"),
      ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
      ("IMG_1.jpg", "IMG_1.jpg.supplemental-met.json"),
      ("IMG_1.jpg", "IMG_1.jpg.s.json"),
      ("IMG_1.jpg", "IMG_1.jpg..json"),
      ("IMG_1.jpg", "IMG_1.json"),
      ("IMG_1(1).jpg", "IMG_1.jpg(1).json"),
      ("IMG_1(12).jpg", "IMG_1.jpg.supplemental-metadata(12).json"),
      ("IMG_1(1).jpg", "IMG_1(1).jpg.json"),
      ("IMG_1(1).jpg", "IMG_1(1).json"),
      ("IMG_1.HEIC", "IMG_1.HEIC.supplemental-metadata.json"),
      // 46 characters of a longer name.
      (
        "Screenshot_20240101-101112_Messages of a friend.jpg",
        "Screenshot_20240101-101112_Messages of a frien.json"
      ),
      (
        "Screenshot_20240101-101112_Messages of a friend(1).jpg",
        "Screenshot_20240101-101112_Messages of a frien(1).json"
      ),
      // A name with a dot and the beginning of the word that Google adds.
      (
        "Screenshot_20240101-101112_Messages of Dr.supper.jpg",
        "Screenshot_20240101-101112_Messages of Dr.supp.json"
      ),
      ("no extension", "no extension.json"),
      ("日本の写真.png", "日本の写真.png.json"),
      ("IMG.2024.jpg", "IMG.2024.jpg.suppl.json"),
    ]
  )
  func `a picture finds its JSON`(picture: String, json: String) {
    let names = SidecarNames([(json, nil)])

    #expect(names.match(picture) == SidecarNames.Match(sidecars: [json]))
  }

  @Test(arguments: 0..."supplemental-metadata".count)
  func `the word that Google adds may be cut off anywhere before a number`(count: Int) {
    let json = "IMG_1.jpg.\("supplemental-metadata".prefix(count))(1).json"
    let names = SidecarNames([(json, nil)], beside: ["IMG_1.jpg", "IMG_1(1).jpg"])

    #expect(names.match("IMG_1(1).jpg").sidecars == [json])
    #expect(names.match("IMG_1.jpg").sidecars.isEmpty)
  }

  /// The beginning of long names, which Google does not cut off, and the JSON of that beginning.
  private static let long = "A very long name of a picture of the last summ"

  @Test func `JSON with the beginning of two names is that of neither`() {
    let json = "\(Self.long).json"
    let names = SidecarNames([(json, nil)], beside: ["\(Self.long)a.jpg", "\(Self.long)b.jpg"])

    #expect(names.match("\(Self.long)a.jpg").sidecars.isEmpty)
    #expect(names.match("\(Self.long)b.jpg").sidecars.isEmpty)
    #expect(names.ambiguous == [json])
  }

  @Test func `the real name tells whose JSON one with the beginning of two names is`() {
    let json = "\(Self.long).json"
    let names = SidecarNames(
      [(json, "\(Self.long)b and more.jpg")],
      beside: ["\(Self.long)a.jpg", "\(Self.long)b.jpg"]
    )

    #expect(names.match("\(Self.long)a.jpg").sidecars.isEmpty)
    #expect(names.match("\(Self.long)b.jpg") == SidecarNames.Match(sidecars: [json]))
    #expect(names.ambiguous.isEmpty)
  }

  @Test func `a recording of the same moment and an edited copy are no other picture`() {
    let json = "\(Self.long).json"
    let pictures = ["\(Self.long)er.jpg", "\(Self.long)er.mp4", "\(Self.long)-e.jpg"]
    let names = SidecarNames([(json, nil)], beside: pictures)

    #expect(pictures.map { names.match($0).sidecars } == [[json], [json], [json]])
    #expect(pictures.map { names.match($0).isEdited } == [false, false, true])
  }

  @Test func `JSON of a whole name is not that of a longer one`() {
    let json = "\(Self.long).json"
    let pictures = ["\(Self.long).jpg", "\(Self.long)er.jpg"]
    let names = SidecarNames([(json, nil)], beside: pictures)

    #expect(pictures.map { names.match($0).sidecars } == [[json], []])
    #expect(names.ambiguous.isEmpty)
  }

  @Test(
    arguments: [
      "IMG_1-edited.jpg", "IMG_1-bearbeitet.jpg", "IMG_1-modifié.jpg", "IMG_1-modificato.jpg",
      "IMG_1-ha editado.jpg", "IMG_1-отредактировано.jpg", "IMG_1-已编辑.jpg", "IMG_1-edi.jpg",
      "IMG_1-.jpg",
    ]
  )
  func `an edited copy takes the JSON of the original`(picture: String) {
    let names = SidecarNames([("IMG_1.jpg.supplemental-metadata.json", nil)])

    let match = names.match(picture)

    #expect(match.isEdited && match.sidecars == ["IMG_1.jpg.supplemental-metadata.json"])
  }

  @Test func `an edited second picture takes the JSON of the second original`() {
    let names = SidecarNames([("IMG_1.jpg.json", nil), ("IMG_1.jpg(1).json", nil)])

    #expect(names.match("IMG_1-edited(1).jpg").sidecars == ["IMG_1.jpg(1).json"])
    #expect(names.match("IMG_1-edited.jpg").sidecars == ["IMG_1.jpg.json"])
  }

  @Test func `a name with words behind a hyphen is a name before it is that of a copy`() {
    let names = SidecarNames([
      ("a.jpg.json", nil), ("a-sunset.jpg.json", nil), ("x.json", "a-beach.jpg"),
    ])

    #expect(names.match("a-sunset.jpg") == SidecarNames.Match(sidecars: ["a-sunset.jpg.json"]))
    #expect(names.match("a-beach.jpg") == SidecarNames.Match(sidecars: ["x.json"]))
    #expect(
      names.match("a-field.jpg") == SidecarNames.Match(sidecars: ["a.jpg.json"], isEdited: true)
    )
  }

  @Test func `JSON may be named in other capitals, unless a picture is named like it`() {
    let names = SidecarNames(
      [("IMG_1.JPG.json", nil), ("IMG_2.JPG.json", nil), ("Img_3.HEIC(1).json", nil)],
      beside: ["IMG_1.jpg", "IMG_2.jpg", "IMG_2.JPG", "img_3(1).heic", "IMG_1-edited.jpg"]
    )

    #expect(names.match("IMG_1.jpg") == SidecarNames.Match(sidecars: ["IMG_1.JPG.json"]))
    #expect(
      names.match("IMG_1-edited.jpg")
        == SidecarNames.Match(sidecars: ["IMG_1.JPG.json"], isEdited: true)
    )
    #expect(names.match("IMG_2.jpg") == SidecarNames.Match())
    #expect(names.match("IMG_2.JPG") == SidecarNames.Match(sidecars: ["IMG_2.JPG.json"]))
    #expect(names.match("img_3(1).heic") == SidecarNames.Match(sidecars: ["Img_3.HEIC(1).json"]))
    #expect(names.match("img_3.heic") == SidecarNames.Match())
  }

  @Test func `JSON with the real name of another picture is that of it, unless it has its own`() {
    let json = [("a.jpg.json", "b.jpg" as String?)]
    let renamed = SidecarNames(json, beside: ["a.jpg", "b.jpg"])
    let both = SidecarNames(json + [("b.jpg.json", "b.jpg")], beside: ["a.jpg", "b.jpg"])

    #expect(renamed.match("a.jpg") == SidecarNames.Match())
    #expect(renamed.match("b.jpg") == SidecarNames.Match(sidecars: ["a.jpg.json"]))
    #expect(both.match("a.jpg") == SidecarNames.Match(sidecars: ["a.jpg.json"]))
    #expect(SidecarNames(json, beside: ["a.jpg"]).match("a.jpg").sidecars == ["a.jpg.json"])
  }

  @Test(arguments: ["IMG.jpg(1).json", "IMG.jpg.supplemental-metadata(1).json", "IMG(1).jpg.json"])
  func `JSON of the second picture of a name is not that of the first`(json: String) {
    let pictures = ["IMG.jpg", "IMG(1).jpg"]
    let names = SidecarNames([(json, "IMG.jpg")], beside: pictures)

    #expect(pictures.map { names.match($0).sidecars } == [[], [json]])
    #expect(SidecarNames([(json, "IMG.jpg")], beside: ["IMG.jpg"]).match("IMG.jpg").sidecars == [])
  }

  @Test(arguments: [("a.s.json", "a.s.jpg", "a.jpg"), ("a.json", "a", "a.jpg")])
  func `JSON with a short name is not that of another picture than the real name`(
    json: String,
    title: String,
    other: String
  ) {
    let names = SidecarNames([(json, title)], beside: [title, other])

    #expect(names.match(title).sidecars == [json])
    #expect(names.match(other).sidecars.isEmpty)
  }

  @Test func `a real name that two files of JSON have tells nothing`() {
    let names = SidecarNames([("a.json", "IMG.jpg"), ("b.json", "IMG.jpg")], beside: ["IMG.jpg"])

    #expect(names.match("IMG.jpg").sidecars.isEmpty)
  }

  @Test(arguments: [("IMG", "IMG"), (long, "\(long)er")])
  func `JSON is not that of a picture with another extension than the real name`(
    name: String,
    stem: String
  ) {
    let json = "\(name).json"
    let pictures = ["jpg", "png", "mp4"].map { "\(stem).\($0)" }
    let names = SidecarNames([(json, "\(stem).JPG")], beside: pictures)

    #expect(pictures.map { names.match($0).sidecars } == [[json], [], [json]])
    #expect(SidecarNames([(json, nil)], beside: pictures).match(pictures[1]).sidecars == [json])
  }

  @Test(
    arguments: [
      ("er", "er and autumn.jpg", true), ("er", "er.jpg", true), ("_", "& autumn.jpg", true),
      ("-", "er.jpg", true), ("e-e", "er.jpg", true), ("s", "er.jpg", false), ("er", ".jpg", false),
    ]
  )
  func `the only picture that begins like JSON goes on as its real name does`(
    end: String,
    realEnd: String,
    isItsOwn: Bool
  ) {
    let (json, picture) = ("\(Self.long).json", "\(Self.long)\(end).jpg")
    let names = SidecarNames([(json, Self.long + realEnd)], beside: [picture])

    #expect(names.match(picture).sidecars == (isItsOwn ? [json] : []))
  }

  @Test func `a picture with a shortened name is found by its real one`() {
    let names = SidecarNames([("what.json", "A real name.jpg")])

    #expect(names.match("A real name.jpg").sidecars == ["what.json"])
  }

  @Test(
    arguments: [
      ("IMG_2.jpg", "IMG_1.jpg.json"), ("IMG_1(1).jpg", "IMG_1.jpg.json"),
      ("IMG_1.jpg", "IMG_1.jpg(1).json"), ("IMG_10.jpg", "IMG_1.jpg.json"),
      ("IMG_1.jpg", "IMG_1.jpg.other.json"), ("IMG_1(x).jpg", "IMG_1.jpg(x).json"),
      ("IMG_1-2.jpg", "IMG_1.jpg.json"), ("IMG_1-edi.png", "IMG_1.jpg.json"),
      ("IMG_1-edi(1).jpg", "IMG_1.jpg.json"), ("Anna-Maria.jpg", "Anna.jpg.json"),
    ]
  )
  func `a picture does not take the JSON of another`(picture: String, json: String) {
    #expect(SidecarNames([(json, nil)]).match(picture).sidecars.isEmpty)
  }
}
