package import Foundation
package import SnippetStorage

/// The sample library: little pictures, recordings and texts, made for this package.
package enum DemoLibrary {
  /// One file of the library.
  package struct Item: Sendable {
    /// The title; `nil` takes the first line of the text.
    package let title: String?
    package let tags: [String]
    package let bytes: [UInt8]

    init(_ title: String?, _ tags: [String], _ bytes: [UInt8]) {
      self.title = title
      self.tags = tags
      self.bytes = bytes
    }
  }

  /// The pictures.
  package static let pictures = [
    Item("Sunset over hills", ["landscape", "evening"], PackageResources.sunset_over_hills_png),
    Item("Mountain lake", ["landscape", "water"], PackageResources.mountain_lake_jpg),
    Item("Lighthouse at night", ["sea", "night"], PackageResources.lighthouse_at_night_jpg),
    Item("Sailing boat", ["sea", "animation"], PackageResources.sailing_boat_gif),
    Item(
      "Balloon over a meadow",
      ["landscape", "summer"],
      PackageResources.balloon_over_meadow_webp
    ),
    Item("Potted cactus", ["plants", "pixel-art"], PackageResources.potted_cactus_bmp),
  ]

  /// The recordings.
  package static let recordings = [
    Item("Rising arpeggio", ["music"], PackageResources.rising_arpeggio_wav),
    Item("Evening bell", ["music", "evening"], PackageResources.evening_bell_flac),
    Item("Drum pattern", ["music", "rhythm"], PackageResources.drum_pattern_ogg),
    Item("Bird chirp", ["nature"], PackageResources.bird_chirp_mp3),
  ]

  /// The texts, in several languages and one older encoding.
  package static let texts = [
    Item(nil, ["list", "english"], PackageResources.picnic_packing_list_txt),
    Item(nil, ["recipe", "german"], PackageResources.potato_soup_de_txt),
    Item(nil, ["meeting", "french"], PackageResources.garden_meeting_fr_txt),
    Item(nil, ["poem", "japanese"], PackageResources.haiku_ja_txt),
    Item(nil, ["recipe", "chinese"], PackageResources.green_tea_zh_txt),
    Item(nil, ["recipe", "arabic"], PackageResources.mint_tea_ar_txt),
    Item(nil, ["list", "korean"], PackageResources.rainy_day_ko_txt),
    Item(nil, ["diary", "emoji"], PackageResources.week_in_emoji_txt),
    Item("Sierpinski triangle", ["code", "sql"], PackageResources.sierpinski_triangle_sql),
    Item(
      "How a list recycles its cells",
      ["essay", "english"],
      PackageResources.how_a_list_recycles_its_cells_md
    ),
  ]

  /// A draft for every item, a day apart, the last of them made just now.
  package static func drafts(until now: Date) -> [SnippetDraft] {
    let items = texts + recordings + pictures
    return items.enumerated().map { place, item in
      SnippetDraft(
        .bytes(Data(item.bytes)),
        title: item.title,
        tags: item.tags,
        createdAt: now.addingTimeInterval(-86_400 * Double(items.count - 1 - place))
      )
    }
  }
}
