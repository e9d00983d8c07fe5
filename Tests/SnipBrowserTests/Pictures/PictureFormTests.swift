import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Which form of pictures goes where.
@Suite(.enabled(if: TerminalAbilities.libraryVersion != nil))
struct PictureFormTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let variables: [String: String]
    let form: PictureForm?
    var isTerminal = true

    var testDescription: String { "\(variables)\(isTerminal ? "" : " in a pipe")" }
  }

  private static let places = [
    Place(variables: ["TERM": "xterm-kitty"], form: .kitty),
    Place(variables: ["TERM": "mlterm"], form: .sixels),
    Place(variables: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], form: .sixels),
    Place(variables: ["TERM": "xterm"], form: .symbols(.palette)),
    Place(variables: ["TERM": "xterm", "COLORTERM": "truecolor"], form: .symbols(.direct)),
    Place(variables: ["TERM": "tmux-256color"], form: .symbols(.palette)),
    Place(variables: ["TERM": "tmux-256color", "COLORTERM": "truecolor"], form: .symbols(.direct)),
    Place(variables: ["TERM": "linux"], form: .symbols(.sixteen)),
    // Pixels do not get through another program that draws the screen.
    Place(variables: ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux/1"], form: .symbols(.direct)),
    Place(variables: ["TERM": "xterm-kitty", "NO_COLOR": "1"], form: .symbols(.none)),
    Place(variables: ["TERM": "xterm", "CLICOLOR": "0"], form: .symbols(.none)),
    Place(variables: ["TERM": "dumb"], form: nil),
    Place(variables: [:], form: nil),
    Place(variables: ["TERM": "xterm-kitty"], form: nil, isTerminal: false),
    Place(variables: ["TERM": "xterm", "CLICOLOR_FORCE": "1"], form: nil, isTerminal: false),
  ]

  private func device(_ place: Place) -> OutputDevice {
    OutputDevice(isTerminal: place.isTerminal, environment: place.variables)
  }

  @Test(arguments: places)
  func `by itself it follows the terminal, and draws nothing elsewhere`(place: Place) {
    #expect(PictureForm(.auto, on: device(place), environment: place.variables) == place.form)
  }

  @Test(arguments: places)
  func `what is asked for is given`(place: Place) {
    let (device, variables) = (device(place), place.variables)
    #expect(PictureForm(.kitty, on: device, environment: variables) == .kitty)
    #expect(PictureForm(.sixel, on: device, environment: variables) == .sixels)
    #expect(PictureForm(.none, on: device, environment: variables) == nil)
  }

  @Test func `symbols have colours where there may be any`() {
    let forced = ["TERM": "xterm", "CLICOLOR_FORCE": "1"]
    #expect(PictureForm(.symbols, on: .pipe, environment: ["TERM": "xterm"]) == .symbols(.none))
    #expect(
      PictureForm(
        .symbols,
        on: OutputDevice(isTerminal: false, environment: forced),
        environment: forced
      ) == .symbols(.palette)
    )
  }
}
