import CMedia
import Foundation
package import TerminalKit

/// How pictures are asked for, by the names that the command line has.
package enum PixelsChoice: String, CaseIterable, Sendable {
  case auto, kitty, sixel, symbols, none

  /// The pixels that are asked for whatever the terminal says; `nil` for other choices.
  var form: PictureForm? {
    switch self {
    case .kitty: .kitty
    case .sixel: .sixels
    case .auto, .symbols, .none: nil
    }
  }
}

/// The colours that symbols may have.
package enum PictureColors: CaseIterable, Hashable, Sendable {
  case none
  /// The sixteen that every user has in their own tones.
  case sixteen
  /// The palette of 256.
  case palette
  case direct
}

/// How a picture reaches the screen.
package enum PictureForm: Hashable, Sendable {
  /// The pixels, by the protocol of the terminal kitty.
  case kitty
  /// The pixels, as sixels.
  case sixels
  /// Characters in colours.
  case symbols(PictureColors)
}

extension PictureForm {
  /// The name, as the command line has it.
  package var name: String {
    switch self {
    case .kitty: PixelsChoice.kitty.rawValue
    case .sixels: PixelsChoice.sixel.rawValue
    case .symbols: PixelsChoice.symbols.rawValue
    }
  }
}

/// What the terminal of an environment can show of a picture.
package struct TerminalAbilities: Hashable, Sendable {
  /// The best form.
  package let form: PictureForm
  /// The colours of symbols.
  let colors: PictureColors

  /// Asks libchafa, which knows terminals by what they put into the environment.
  ///
  /// - Parameter environment: The environment variables.
  package init(environment: [String: String]) {
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for variable in variables { free(variable) } }
    var list = variables.map { UnsafePointer($0) } + [nil]
    let found = list.withUnsafeMutableBufferPointer { list in
      snippet_pictures_detect(list.baseAddress)
    }
    colors =
      switch Int(found.colors) {
      case Int(snippet_colors_direct): .direct
      case Int(snippet_colors_256): .palette
      case Int(snippet_colors_16): .sixteen
      default: .none
      }
    form =
      switch Int(found.pixels) {
      // Between it and the screen stands another program, to which pixels mean nothing.
      case _ where Self.isMultiplexed(environment): .symbols(colors)
      case Int(snippet_pixels_kitty): .kitty
      case Int(snippet_pixels_sixels): .sixels
      default: .symbols(colors)
      }
  }

  /// Whether another program, such as tmux, stands between this one and the screen.
  static func isMultiplexed(_ environment: [String: String]) -> Bool {
    let name = environment["TERM"] ?? ""
    return !(environment["TMUX"] ?? "").isEmpty
      || ["tmux", "screen"].contains { name.hasPrefix($0) }
  }

  /// The version of libchafa; `nil` when this program was built without it.
  package static var libraryVersion: String? {
    snippet_pictures_version().map { String(cString: $0) }
  }
}

extension PictureForm {
  /// Finds what is drawn where output goes; `nil` when nothing is.
  ///
  /// - Parameters:
  ///   - argument: What was asked for. By itself nothing is drawn where no terminal is, or a dumb
  ///     one.
  ///   - device: Where the output goes. Where it allows no colour, symbols have none.
  ///   - environment: The environment variables.
  package init?(
    _ argument: PixelsChoice,
    on device: OutputDevice,
    environment: [String: String]
  ) {
    let abilities = TerminalAbilities(environment: environment)
    let symbols = Self.symbols(device.allowsColor ? abilities.colors : .none)
    switch argument {
    case .none: return nil
    case .kitty: self = .kitty
    case .sixel: self = .sixels
    case .symbols: self = symbols
    case .auto:
      guard device.canRedraw else { return nil }
      self = device.allowsColor ? abilities.form : symbols
    }
  }
}
