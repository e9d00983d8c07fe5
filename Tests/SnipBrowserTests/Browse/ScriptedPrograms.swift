import Foundation
import SnippetBase
import SnippetTesting

@testable import SnipBrowser

/// Programs that do what a test says.
final class ScriptedPrograms: OtherPrograms {
  typealias Edit = @Sendable (URL) throws -> Int32

  private struct State {
    var editing: Edit = { _ in 0 }
    var openError: OtherProgramError?
    var files: [URL] = []
    var players: [ScriptedPlayer] = []
  }

  private let state = Lock(State())

  var editing: Edit {
    get { state.withLock(\.editing) }
    set { state.withLock { $0.editing = newValue } }
  }

  var editor: String? { "my editor" }

  var openError: OtherProgramError? {
    get { state.withLock(\.openError) }
    set { state.withLock { $0.openError = newValue } }
  }

  /// What was edited or opened.
  var files: [URL] { state.withLock(\.files) }
  var players: [ScriptedPlayer] { state.withLock(\.players) }

  func edit(_ file: URL) throws(OtherProgramError) -> Int32 {
    state.withLock { $0.files.append(file) }
    do {
      return try editing(file)
    } catch let error as OtherProgramError {
      throw error
    } catch {
      throw OtherProgramError(message: "\(error)")
    }
  }

  func open(_ file: URL) async throws(OtherProgramError) {
    state.withLock { $0.files.append(file) }
    if let openError { throw openError }
  }

  func play(_ file: URL, mediaType: String) throws(OtherProgramError) -> any Playing {
    let player = ScriptedPlayer()
    state.withLock { $0.players.append(player) }
    return player
  }
}

/// A player that ends when a test says so.
final class ScriptedPlayer: Playing {
  private let ending = Gate()
  private let status = Lock<Int32>(0)
  private let stopped = Lock(false)

  var isStopped: Bool { stopped.withLock(\.self) }

  func end(with status: Int32) {
    self.status.withLock { $0 = status }
    ending.open()
  }

  func stop() {
    stopped.withLock { $0 = true }
    end(with: 128 + SIGTERM)
  }

  func ended() async -> Int32 {
    await ending.untilOpen()
    return status.withLock(\.self)
  }
}
