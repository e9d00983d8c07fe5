import Testing

@testable import SnippetExchange

/// The names that photo programs give to the files of XMP beside pictures.
struct XMPNamesTests {
  private let names = XMPNames([
    "IMG_1.CR2", "IMG_1.JPG", "IMG_1.md", "IMG_2.jpg", "img_2.jpg", "IMG_2.AAE", "IMG.2024.heic",
    "memo.m4a", "notes.md", "plain",
  ])

  @Test(
    arguments: [
      ("IMG_1.CR2.xmp", ["IMG_1.CR2"], true),
      ("IMG_1.cr2.XMP", ["IMG_1.CR2"], true),
      ("IMG_1.xmp", ["IMG_1.CR2", "IMG_1.JPG"], false),
      ("img_1.XMP", ["IMG_1.CR2", "IMG_1.JPG"], false),
      // Another picture has the name in its own case.
      ("IMG_2.jpg.xmp", ["IMG_2.jpg"], true),
      ("img_2.xmp", ["img_2.jpg"], false),
      ("IMG.2024.xmp", ["IMG.2024.heic"], false),
      ("memo.xmp", ["memo.m4a"], false),
      // A text is no picture.
      ("notes.xmp", [], false),
      ("notes.md.xmp", [], false),
      ("plain.xmp", [], false),
      ("IMG_3.xmp", [], false),
    ]
  )
  func `a file of XMP finds its pictures`(file: String, pictures: [String], isWhole: Bool) {
    #expect(names.match(file) == XMPNames.Match(pictures: pictures, isWhole: isWhole))
  }
}
