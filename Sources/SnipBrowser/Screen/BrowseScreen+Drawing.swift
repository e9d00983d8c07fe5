import SnipCore
import SnippetLoading
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// The lines around the list, and the list.
  var listLines: [FrameLine] {
    let parts = lists.parts
    var lines: [FrameLine] = []
    if parts.hasHeader { lines.append(header) }
    var rows = list.count == 0 ? emptyLines(parts) : list.lines
    while rows.count < parts.listHeight { rows.append(FrameLine()) }
    if let pane = lists.pane, parts.pane == pane.size {
      let shown = list.place.covered
      rows = zip(rows, pane.lines).enumerated().map { number, row in
        var line = row.0.truncated(toWidth: parts.listColumns)
        line.pad(toWidth: parts.listColumns + 1)
        if shown.contains(number) { line.append("┃ ") } else { line.append("│ ", .faint) }
        line.append(row.1)
        return line
      }
    } else if let column = parts.placeBar {
      rows = rows.beside(list.place, atColumn: column)
    }
    // The line being typed takes the place of messages.
    if let prompt, prompt.purpose != .filter, !work.message.isEmpty, !rows.isEmpty {
      rows[rows.count - 1] = FrameLine(" " + work.message)
    }
    lines += rows
    if parts.hasCounters { lines.append(FrameLine(countersText, .faint)) }
    if parts.hasStatus { lines.append(status) }
    return lines
  }

  private var header: FrameLine {
    let count = list.count
    let marked = lists.marks.isEmpty ? "" : "\(lists.marks.count) marked  "
    let number = marked + (count == 0 ? "0" : "\(list.selection + 1)/\(count)")
    // A narrow screen has the filter instead, which says more about the list.
    let hasRoom = size.columns >= number.displayWidth + syncWords.displayWidth + 40
    let place = syncWords.isEmpty || !hasRoom ? number : "\(syncWords)  \(number)"
    var line = FrameLine(
      headerWords(columns: max(0, size.columns - place.displayWidth - 2)),
      .reversed
    )
    let rest = size.columns - line.width - place.displayWidth - 1
    line.append(String(repeating: " ", count: max(1, rest)) + place + " ", .reversed)
    return line
  }

  /// The name of the store, the order and the restrictions of the list; where there is no room for
  /// all, the restrictions, because they explain why something is missing.
  private func headerWords(columns: Int) -> String {
    // Search results have an order of their own.
    let order = listing.results == nil ? [listing.order.words] : []
    let words = filterWords
    let lines = [[storeName] + order + words, [storeName] + words, words.isEmpty ? order : words]
      .map { " " + $0.joined(separator: "  ") }
    return lines.first { $0.displayWidth <= columns }
      ?? (lines.last ?? "").truncated(toWidth: columns)
  }

  /// The restrictions of the list.
  private var filterWords: [String] {
    let (filter, query) = (listing.filter, listing.query)
    var words: [String] = []
    if readOnlyReason != nil { words.append("reading only") }
    if filter.isInTrash { words.append("trash") }
    if filter.isPinned == true { words.append("pinned") }
    words += SnippetKind.allCases.filter { filter.kinds?.contains($0) ?? false }.map(\.name)
    words += filter.tags.sorted().map { "#" + TerminalText($0).description }
    if !query.isEmpty { words.append("/" + TerminalText(query).description) }
    return words
  }

  private var status: FrameLine {
    if let prompt { return prompt.line(columns: size.columns) }
    if let question { return question.line(columns: size.columns) }
    if !work.message.isEmpty { return FrameLine(" " + work.message) }
    if let trouble = listing.searchTrouble ?? list.trouble {
      let advice = " R tries again."
      let room = max(0, size.columns - advice.displayWidth)
      return FrameLine(" \(trouble)".truncated(toWidth: room) + advice)
    }
    if let playing = player.playing {
      let advice = "  space stops it."
      let room = max(0, size.columns - advice.displayWidth)
      return FrameLine(" Playing \(playing.title)".truncated(toWidth: room) + advice)
    }
    return FrameLine(" " + KeyMap.hints(in: place, columns: size.columns), .faint)
  }

  private func emptyLines(_ parts: ScreenParts) -> [FrameLine] {
    let isNarrowed = listing.filter != .all || !listing.query.isEmpty
    let known =
      listing.emptiness?.words ?? (isNarrowed ? "" : EmptinessReason.storeIsEmpty.sentence)
    let words = known.wrapped(toWidth: max(1, parts.listColumns - 4))
    let above = max(0, (parts.listHeight - words.count) / 2)
    return Array(repeating: FrameLine(), count: above)
      + words.map { text in
        let space = max(0, (parts.listColumns - text.displayWidth) / 2)
        return FrameLine(String(repeating: " ", count: space) + text)
      }
  }

  /// The counters of the loader.
  private var countersText: String {
    let counters = lists.loaders[0].counters
    let tenths = Int((frameTimes.p99 / .milliseconds(1) * 10).rounded())
    let cache = ByteCountText(Int64(counters.cacheCost)).description
    let time = "\(tenths / 10).\(tenths % 10) ms"
    let numbers = [
      list.pool.createdCount, list.pool.reusedCount, counters.hits, counters.loadsStarted,
      counters.loadsCancelled, counters.staleDropped, counters.wrongDeliveries,
    ]
    let long = zip(["cells", "reused", "hits", "loads", "cancelled", "stale", "wrong"], numbers)
      .map { "\($0) \($1)" }
    let text = " \(long.joined(separator: " "))  cache \(cache)  frame \(time)"
    if text.displayWidth <= size.columns { return text }
    let short = zip(["cells", "reuse", "hit", "load", "cancel", "stale", "wrong"], numbers)
      .map { "\($0) \($1)" }
    return " \(short.joined(separator: " "))  \(cache)  \(time)"
  }
}
