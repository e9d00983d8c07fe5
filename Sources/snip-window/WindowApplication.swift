#if GTK
import CGTK
import Foundation
import SnipCore

import SnippetGTK
import SnippetStorage

/// The program in GTK's main loop: it opens the store, and then the window.
@MainActor
final class WindowApplication {
  private let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(
    nil,
    G_APPLICATION_NON_UNIQUE
  )
  private let location: StoreLocation
  private let isDemo: Bool
  private var window: LibraryWindow?
  private var status: Int32 = 0

  init(_ location: StoreLocation, isDemo: Bool) {
    (self.location, self.isDemo) = (location, isDemo)
  }

  /// Runs until the window is closed.
  ///
  /// - Returns: The status to exit with.
  func run() -> Int32 {
    MainActorSource.attach()
    let gio = UnsafeMutablePointer<GApplication>(OpaquePointer(application))
    onSignal("activate", of: application) { [self] _ in
      // It stays while the store is opened, when there is no window yet.
      g_application_hold(gio)
      Task {
        await open()
        g_application_release(gio)
      }
    }
    let runStatus = g_application_run(gio, 0, nil)
    g_object_unref(application)
    return max(runStatus, status)
  }

  private func open() async {
    do {
      try location.createFolderIfDefault()
      let store = try await SnippetStore.open(at: location.url)
      if isDemo {
        try await store.save(
          contentsOf: DemoLibrary.drafts(until: Date()),
          skipsDuplicates: true
        )
      }
      window = try LibraryWindow(store, application: application)
    } catch {
      FileHandle.standardError.write(Data("snip-window: \(error.localizedDescription)\n".utf8))
      status = 1
    }
  }
}
#endif
