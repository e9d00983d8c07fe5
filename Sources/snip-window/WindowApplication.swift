#if GTK
import CGTK
import Foundation
import SnipCore
import SnippetBase
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// The program in GTK's main loop: it opens the store, and then the window.
@MainActor
final class WindowApplication {
  private let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(
    DesktopEntry.identifier,
    G_APPLICATION_NON_UNIQUE
  )
  private let media = WorkerMedia.ofThisProgram(threadCount: 3)
  private let location: StoreLocation
  private let isDemo: Bool
  private var opening: Task<SnippetStore, any Error>
  private let report: URL?
  private var window: LibraryWindow?
  private var failure: FailureWindow?
  private var status: Int32 = 0

  init(_ location: StoreLocation, isDemo: Bool, report: URL?) {
    self.report = report
    if report != nil { OwnTime.current = OwnTime() }
    // Both take as long as GTK does to start, and need nothing of it.
    Task.detached { [media] in media.startWorker() }
    opening = Self.open(location, isDemo: isDemo)
    (self.location, self.isDemo) = (location, isDemo)
  }

  private static func open(
    _ location: StoreLocation,
    isDemo: Bool
  ) -> Task<SnippetStore, any Error> {
    Task.detached {
      try location.createFolderIfDefault()
      let store = try await SnippetStore.open(at: location.url)
      if isDemo {
        let drafts = DemoLibrary.drafts(until: Date())
        try await store.save(contentsOf: drafts, skipsDuplicates: true)
      }
      return store
    }
  }

  /// Runs until the window is closed.
  ///
  /// - Returns: The status to exit with.
  func run() -> Int32 {
    GTKMainLoop.attachMainActor()
    Localization.start()
    let gio = UnsafeMutablePointer<GApplication>(OpaquePointer(application))
    onSignal("activate", of: application) { [self] _ in
      setKeys(["<Control>w", "<Control>q"], of: "window.close", in: application)
      showLibrary()
    }
    endOnSignals()
    let runStatus = g_application_run(gio, 0, nil)
    if let report, let window { writeReport(of: window, to: report) }
    g_object_unref(application)
    return max(runStatus, status)
  }

  /// Lets signals end the program as closing the window does: once all edits are in the store or
  /// kept.
  private func endOnSignals() {
    let end: GSourceFunc = { context in
      nonisolated(unsafe) let context = context
      MainActor.assumeIsolated {
        guard let context else { return }
        Unmanaged<WindowApplication>.fromOpaque(context).takeUnretainedValue().end()
      }
      return 1
    }
    for signal in [SIGHUP, SIGINT, SIGTERM] {
      g_unix_signal_add(signal, end, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func end() {
    if let window { return window.finish() }
    g_application_quit(UnsafeMutablePointer(OpaquePointer(application)))
  }

  private func writeReport(of window: LibraryWindow, to file: URL) {
    // The time of each frame, our share of it, and the longest step of that.
    let frames = (OwnTime.current?.frames ?? []).map { frame in
      [
        frame.end.timeIntervalSince1970, frame.time / .seconds(1),
        frame.longestStep / .seconds(1),
      ]
    }
    let counters = window.model.loader.counters
    let report: [String: Any] = [
      "frames": frames,
      "viewsCreated": window.list.createdCount + window.grid.createdCount,
      "viewsBound": window.list.greatestBoundCount + window.grid.greatestBoundCount,
      "delivered": counters.delivered, "wrongDeliveries": counters.wrongDeliveries,
      "rowsRead": counters.rowsRead, "peakMemoryBytes": PeakMemory.byteCount ?? 0,
    ]
    do {
      try StoreSeam.requireNoStore(at: file.path, during: "write \(file.path)")
      try JSONSerialization.data(withJSONObject: report, options: .sortedKeys)
        .write(to: file)
    } catch { fail(error) }
  }

  private func fail(_ error: any Error) {
    FileHandle.standardError.write(Data("snip-window: \(error.localizedDescription)\n".utf8))
    status = 1
  }

  /// Shows the library once the store is opened, or else why it cannot be.
  private func showLibrary() {
    let gio = UnsafeMutablePointer<GApplication>(OpaquePointer(application))
    // Keeps the application running while the store is opened, when there is no window yet.
    g_application_hold(gio)
    Task {
      let former = failure
      do {
        window = try LibraryWindow(try await opening.value, media, application: application)
        (failure, status) = (nil, 0)
      } catch {
        fail(error)
        failure = FailureWindow(error, application: application) { [unowned self] in
          opening = Self.open(location, isDemo: isDemo)
          showLibrary()
        }
      }
      former?.close()
      g_application_release(gio)
    }
  }
}
#endif
