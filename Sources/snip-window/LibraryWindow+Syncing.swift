#if GTK
import Foundation
import SnippetSync

extension LibraryWindow {
  /// Shows beside the count how far this store is with other devices.
  ///
  /// Another process synchronizes, such as `snip sync --watch`.
  func followSync() {
    let statuses = StoreSync.statuses(of: store)
    syncing = Task { [weak self] in
      for await status in statuses { self?.syncWords = status.map(Self.words) }
    }
  }

  private static func words(_ status: SyncStatus) -> String {
    // It sends and receives nothing, however far it was.
    if status.isRestored {
      return localized("restored: decide what counts: snip sync --theirs, or snip sync --mine")
    }
    let unsent =
      status.unsentCount == 0
      ? nil : localizedCount("{1} unsent", "{1} unsent", count: status.unsentCount)
    let end =
      if let date = status.synchronizedAt {
        localized(
          "up to date {1}",
          Calendar.current.isDateInToday(date)
            ? date.formatted(date: .omitted, time: .shortened)
            : date.formatted(date: .abbreviated, time: .omitted)
        )
      } else {
        localized("not synchronized yet")
      }
    return [unsent, end].compactMap(\.self).joined(separator: " · ")
  }
}
#endif
