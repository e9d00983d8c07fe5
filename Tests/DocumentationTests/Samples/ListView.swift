import SnippetLoading
import SnippetStorage

#if canImport(SwiftUI)
import SwiftUI
#endif

struct SnippetsView: View {
  let list: SnippetListModel

  var body: some View {
    List(list.rows) { RowView(row: $0) }
  }
}

struct RowView: View {
  let row: SnippetRowModel

  var body: some View {
    Text(row.row?.title ?? "")
      .onAppear { row.appear() }
      .onDisappear { row.disappear() }
  }
}
