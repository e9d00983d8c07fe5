extension TrialWorld {
  /// What has happened so far, in words.
  var sentence: String { words.joined(separator: ", ") }

  /// An event that has just happened, in words.
  func wording(of event: TrialEvent) -> String {
    switch event {
    case .show: "show \(visibleNames)"
    case .clear: "scroll all away"
    case .prepare(let position): "prepare \(model.rows[position].name)"
    case .reuse: "reuse for \(visibleNames)"
    case .reload: "reload \(visibleNames)"
    case .tell: "the list hears what left"
    case .reset: "reset"
    case .leave: "leave the screen"
    case .comeBack: "come back"
    case .close: "close"
    case .insert: "insert \(setting.newcomer) above"
    case .remove: "delete the first row"
    case .repaint(let name): "give \(name) the picture Z"
    case .edit(let name): "edit \(name)"
    case .editInVain(let name): "set \(name) to what it is"
    case .take(let name): "a worker takes \(name)’s load"
    case .end(let name): "\(name)’s load \(model.broken.contains(name) ? "fails" : "ends")"
    case .endLatest(let name): "\(name)’s new load ends"
    case .replace(let name): "the source replaces \(name)"
    case .mend: "the source is mended"
    case .turn: "turn"
    case .warn: "memory is short"
    }
  }

  private var visibleNames: String {
    let names = screen?.visible.map { String(model.rows[$0].name) } ?? []
    return names.joined(separator: " ")
  }
}
