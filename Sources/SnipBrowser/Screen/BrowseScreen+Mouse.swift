import TerminalKit

extension BrowseScreen {
  /// The rows or lines for one step of the wheel.
  private static let wheelStep = 3
  /// The longest time between the clicks of a double click.
  private static let doubleClickTime = Duration.milliseconds(400)

  /// Takes an event of the mouse.
  func take(_ event: MouseEvent) {
    defer { updatePane() }
    switch (mode, event.action) {
    case (_, .other): break
    case (.list, .press), (.prompt, .press): click(event)
    case (.list, .wheelUp), (.prompt, .wheelUp): list.scroll(by: -Self.wheelStep)
    case (.list, .wheelDown), (.prompt, .wheelDown): list.scroll(by: Self.wheelStep)
    case (.pages(var pager), .wheelUp), (.pages(var pager), .wheelDown):
      pager.move(by: event.action == .wheelUp ? -Self.wheelStep : Self.wheelStep, in: size)
      mode = .pages(pager)
    case (.pages, .press), (.picture, _): break
    }
  }

  private func click(_ event: MouseEvent) {
    let parts = parts
    let line = event.line - (parts.hasHeader ? 1 : 0)
    guard (0..<parts.listHeight).contains(line) else { return }
    if parts.pane != nil, event.column >= parts.listColumns {
      // Open the snippet that the pane shows in part.
      if case .list = mode, let row = list.selectedRow { open(row) }
      return
    }
    guard let position = list.position(atLine: line, column: event.column) else { return }
    let now = surroundings.now()
    let isSecond =
      lastClick.map { $0.position == position && now - $0.instant <= Self.doubleClickTime } ?? false
    lastClick = isSecond ? nil : (position, now)
    message = ""
    list.select(position)
    retarget()
    guard isSecond, case .list = mode, let row = list.selectedRow else { return }
    open(row)
  }
}
