import CMedia
import Foundation
package import TerminalKit

/// The choice of how to draw pictures, by the names on the command line.
package enum PixelsChoice: String, CaseIterable, Sendable {
  case auto, kitty, sixel, symbols, none

  /// The pixels requested regardless of the terminal; `nil` for other choices.
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
  /// The sixteen colours, whose tones every user chooses.
  case sixteen
  /// The palette of 256.
  case palette
  case direct
}

/// The way in which a picture reaches the screen.
package enum PictureForm: Hashable, Sendable {
  /// Pixels, by the protocol of the terminal kitty.
  case kitty
  /// Pixels, as sixels.
  case sixels
  /// Coloured characters.
  case symbols(PictureColors)
}

extension PictureForm {
  /// The name on the command line.
  package var name: String {
    switch self {
    case .kitty: PixelsChoice.kitty.rawValue
    case .sixels: PixelsChoice.sixel.rawValue
    case .symbols: PixelsChoice.symbols.rawValue
    }
  }
}

/// The abilities of a terminal to show pictures.
package struct TerminalAbilities: Hashable, Sendable {
  /// The best form.
  package let form: PictureForm
  /// The colours of symbols.
  let colors: PictureColors

  /// Asks libchafa, which recognizes terminals by their environment variables.
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
      // Another program is between it and the screen, and does not understand pixels.
      case _ where Self.isMultiplexed(environment): .symbols(colors)
      case Int(snippet_pixels_kitty): .kitty
      case Int(snippet_pixels_sixels): .sixels
      default: .symbols(colors)
      }
  }

  /// Whether another program, such as tmux, is between this one and the screen.
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
  /// Chooses the form for an output; `nil` to draw nothing.
  ///
  /// - Parameters:
  ///   - argument: The user's choice. By default nothing is drawn without a terminal, or on a dumb
  ///     one.
  ///   - device: The output. Where it allows no colour, symbols have none.
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
