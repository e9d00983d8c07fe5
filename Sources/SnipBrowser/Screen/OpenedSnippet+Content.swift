import SnippetStorage

extension OpenedSnippet {
  /// The content of the screen.
  enum Content {
    case pages(Pager)
    case picture(PictureView)

    /// The snippet as it was when it was read; `nil` for help.
    var row: SnippetRow? {
      switch self {
      case .pages(let pager): pager.row
      case .picture(let view): view.row
      }
    }

    /// A change of the snippet since, such as that it is gone, safe to print.
    var notice: String {
      get {
        switch self {
        case .pages(let pager): pager.notice
        case .picture(let view): view.notice
        }
      }
      set {
        switch self {
        case .pages(var pager):
          pager.notice = newValue
          self = .pages(pager)
        case .picture(var view):
          view.notice = newValue
          self = .picture(view)
        }
      }
    }
  }
}
