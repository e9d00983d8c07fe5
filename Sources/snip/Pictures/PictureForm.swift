import ArgumentParser
import CMedia
import Foundation
import TerminalKit

/// How pictures are asked for on the command line.
enum PixelsArgument: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, kitty, sixel, symbols, none
}

/// The colours that symbols may have.
enum PictureColors: CaseIterable, Hashable, Sendable {
  case none
  /// The sixteen that every user has in their own tones.
  case sixteen
  /// The palette of 256.
  case palette
  case direct
}

/// How a picture reaches the screen.
enum PictureForm: Hashable, Sendable {
  /// The pixels, by the protocol of the terminal kitty.
  case kitty
  /// The pixels, as sixels.
  case sixels
  /// Characters in colours.
  case symbols(PictureColors)
}

extension PictureForm {
  /// The name, as the command line has it.
  var name: String {
    switch self {
    case .kitty: PixelsArgument.kitty.rawValue
    case .sixels: PixelsArgument.sixel.rawValue
    case .symbols: PixelsArgument.symbols.rawValue
    }
  }
}

/// What the terminal of an environment can show of a picture.
struct TerminalAbilities: Hashable, Sendable {
  /// The best form.
  let form: PictureForm
  /// The colours of symbols.
  let colors: PictureColors

  /// Asks libchafa, which knows terminals by what they put into the environment.
  ///
  /// - Parameter environment: The environment variables.
  init(environment: [String: String]) {
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

  /// The version in the name of libchafa's file, such as 0.8.4; `nil` where it is not installed, or
  /// this program was built without it.
  static var libraryVersion: String? {
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
  init?(
    _ argument: PixelsArgument,
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
