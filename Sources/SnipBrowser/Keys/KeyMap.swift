import TerminalKit

/// The keys and their actions, in tables for looking keys up and for drawing help.
enum KeyMap {
  /// Keys with the same action.
  struct Binding<Action: Hashable & Sendable, Place: Sendable>: Sendable {
    let action: Action
    let keys: [Key]
    /// Their action, for help.
    let explanation: String
    /// The same in a word, for the line at the bottom; `nil` if it need not be there.
    var hint: String?
    /// The keys in that line, if they are not the first of these.
    var hintKeys: String?
    /// Whether the word comes after the others, where there is room for more.
    var isHintedLast = false
    /// Whether help and the line at the bottom list them in a place.
    var isHere: @Sendable (Place) -> Bool = { _ in true }

    /// The hint with its keys.
    var hintWords: String? {
      hint.map { "\(hintKeys ?? keys.first?.name ?? "") \($0)" }
    }
  }

  /// The actions of keys in a place.
  static func table<Action, Place>(
    _ bindings: [Binding<Action, Place>],
    in place: Place
  ) -> [Key: Action] {
    Dictionary(
      uniqueKeysWithValues: bindings.filter { $0.isHere(place) }
        .flatMap { binding in binding.keys.map { ($0, binding.action) } }
    )
  }

  /// The keys in a place, each row with what they do.
  static func rows<Action, Place>(
    _ bindings: [Binding<Action, Place>],
    in place: Place
  ) -> [(keys: String, explanation: String)] {
    bindings.filter { $0.isHere(place) }
      .map { ($0.keys.map(\.name).joined(separator: " "), $0.explanation) }
  }

  /// A page of keys.
  static func help(
    _ title: String,
    _ rows: [(keys: String, explanation: String)],
    below: String
  ) -> KeyHelp {
    let width = rows.map(\.keys.displayWidth).max() ?? 0
    let lines = rows.map { $0.keys.padded(toWidth: width) + "  " + $0.explanation }
    return KeyHelp(title: title, text: (lines + ["", below]).joined(separator: "\n"))
  }
}

/// A page of keys with their actions.
struct KeyHelp: Hashable, Sendable {
  let title: String
  let text: String
}
