#if GTK
import CGTK
import Foundation

/// The texts of the window in the language of the user, by gettext.
enum Localization {
  /// The name of the catalogs, which are `LANGUAGE/LC_MESSAGES/snip-window.mo`.
  static let domain = "snip-window"

  /// Has gettext look for catalogs beside the program, in `../share/locale`, if there is such a
  /// folder, and otherwise in that of the user's data.
  static func start() {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "../share/locale").standardizedFileURL.path
    let own = "\(String(cString: g_get_user_data_dir()))/locale"
    let folder = beside.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? own
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
  }
}

/// Translates a text, as `_()` does elsewhere.
///
/// - Parameters:
///   - text: The text in English, a literal, which `xgettext` collects.
///   - values: The values of `{1}`, `{2}` and so on in the text.
/// - Returns: The text in the user's language, with the values; in English if it is not translated.
func localized(_ text: String, _ values: String...) -> String {
  // A text without a translation comes back as the very pointer.
  text.withCString { String(cString: g_dgettext(Localization.domain, $0)) }.filled(with: values)
}

/// Translates a text with a number, as `ngettext()` does.
///
/// - Parameters:
///   - one: The text in English for the number 1.
///   - many: The text in English for other numbers.
///   - count: The number, which is the value of `{1}`.
/// - Returns: The text in the user's language, with the number.
func localizedCount(_ one: String, _ many: String, count: Int) -> String {
  let text = one.withCString { one in
    many.withCString { many in
      String(cString: g_dngettext(Localization.domain, one, many, gulong(count)))
    }
  }
  return text.filled(with: [count.formatted()])
}

extension String {
  /// Puts values in the places of a text; a value is not looked through for places.
  fileprivate func filled(with values: [String]) -> String {
    var (filled, rest) = ("", self[...])
    while let start = rest.firstIndex(of: "{") {
      filled += rest[..<start]
      rest = rest[start...]
      let place = rest.dropFirst().prefix { $0 != "}" }
      if let number = Int(place), values.indices.contains(number - 1) {
        filled += values[number - 1]
        rest = rest.dropFirst(place.count + 2)
      } else {
        filled += "{"
        rest = rest.dropFirst()
      }
    }
    return filled + rest
  }
}
#endif
