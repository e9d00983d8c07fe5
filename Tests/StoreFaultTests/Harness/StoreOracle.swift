import Foundation
import SnippetTestSupport

@testable import SnippetStorage

/// Says whether what is found after a fault is what an operation may leave.
struct StoreOracle: Sendable {
  let operation: FaultOperation
  let before: StoreState
  let after: StoreState

  /// What is found in a folder.
  ///
  /// - Parameters:
  ///   - place: The folder with the store.
  ///   - acknowledged: Words of what was said to be safe.
  ///   - isDone: Whether the operation was said to be done.
  ///   - isCleared: Whether the process could clear up: nothing killed it and files could be
  ///     deleted.
  /// - Returns: The state, if the store could be read, and what is wrong, in sentences.
  func judge(
    _ place: URL,
    acknowledged: [String],
    isDone: Bool,
    isCleared: Bool
  ) -> (state: StoreState?, wrong: [String]) {
    var wrong = isCleared ? strays(in: place).map { "\($0) was left behind" } : []
    let state: StoreState
    do {
      state = try StoreState(of: place.appendingPathComponent(operation.subject))
    } catch let error as StoreState.Unsound {
      return (nil, wrong + ["the check found: \(error.problems.joined(separator: "; "))"])
    } catch {
      return (nil, wrong + ["the store cannot be used: \(error)"])
    }
    if isDone, state.snippets != after.snippets {
      wrong.append("it is said to be done, and is not: \(state.difference(from: after))")
    } else if !isLegal(state) {
      wrong.append("neither the old nor the new content: \(state.difference(from: before))")
    }
    let all = state.snippets.values.joined(separator: "\n")
    for words in acknowledged where !all.contains(words) {
      wrong.append("lost, though acknowledged: \(words)")
    }
    wrong += state.sequencesGoneBack(from: before).map { "the numbers of \($0) went back" }
    wrong += faults(ofOutputsIn: place)
    return (state, wrong)
  }

  /// What an error claims that is not so.
  ///
  /// - Parameters:
  ///   - error: What the operation threw.
  ///   - plans: The faults that struck, of a sound store.
  ///   - state: What is found in the store.
  ///   - place: The folder with the store.
  /// - Returns: Each in a sentence.
  func lies(
    in error: any Error,
    after plans: [FaultPlan],
    _ state: StoreState?,
    _ place: URL
  ) -> [String] {
    guard let error = error as? SnippetStoreError else {
      return ["no error of the store: \(error)"]
    }
    var lies: [String] = []
    var text = error.description
    // True beside what was added, as by an import of which one file fails.
    if let state, before.snippets.allSatisfy({ state.snippets[$0.key] == $0.value }) {
      text = text.replacing("Everything saved before is unchanged.", with: "")
    }
    let claims = ["Nothing was changed", "unchanged", "left as it is", "as it was"]
    if let state, state.snippets != before.snippets, claims.contains(where: text.contains) {
      let told = text.replacing(place.path, with: "…")
      lies.append("it says that nothing changed: \(told)")
    }
    let causes = plans.map(\.action).reduce(into: Set<SnippetStoreError.Code>()) {
      $0.formUnion(Self.causes(of: $1))
    }
    if !causes.contains(error.code) {
      let told = text.replacing(place.path, with: "…")
      let cause = error.underlyingError.map { " (\($0))" } ?? ""
      let faults = plans.map(\.action.description).joined(separator: ", ")
      lies.append("\(faults) is told as \(error.code): \(told)\(cause)")
    }
    return lies
  }

  /// The codes of errors that a fault may cause.
  private static func causes(of action: FaultPlan.Action) -> Set<SnippetStoreError.Code> {
    switch action {
    case .fail(.noSpace), .fail(.quotaExceeded): [.diskFull]
    // SQLite falls back to reading where it cannot open a file for writing, and forgets why.
    case .fail(.tooManyOpenFiles), .fail(.noMemory): [.failed, .inputOutput]
    case .fail(.noPermission): [.unreadable, .cannotCreate, .readOnly, .inputOutput]
    case .fail(.readOnlyFileSystem): [.readOnly, .cannotCreate]
    case .fail, .short, .lie, .kill, .killAfter: [.inputOutput]
    }
  }

  /// The files that have no business beside the store.
  private func strays(in place: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    // A journal that could not be rolled back belongs to the store, and the next to open it does
    // so.
    let known =
      ["", "-journal", "-shm", "-wal"].map { operation.subject + $0 } + ["backup.sqlite", "files"]
    return names.filter { !known.contains($0) && !operation.outputs.contains($0) }.sorted()
  }

  private func isLegal(_ state: StoreState) -> Bool {
    if state.snippets == before.snippets || state.snippets == after.snippets { return true }
    guard operation.parts == .snippets else { return false }
    let (old, new) = (Set(before.snippets.values), Set(after.snippets.values))
    let found = Set(state.snippets.values)
    return found.isSubset(of: old.union(new)) && found.isSuperset(of: old.intersection(new))
  }

  /// A copy that has its name must be complete.
  private func faults(ofOutputsIn place: URL) -> [String] {
    let copy = place.appendingPathComponent("copy.sqlite")
    guard operation.outputs.contains("copy.sqlite"),
      FileManager.default.fileExists(atPath: copy.path)
    else { return [] }
    do {
      return try StoreState(of: copy).snippets == before.snippets
        ? [] : ["the copy has another content"]
    } catch {
      return ["the copy has its name and is not sound: \(error)"]
    }
  }
}
