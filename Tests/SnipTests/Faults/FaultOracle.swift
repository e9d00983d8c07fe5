#if os(Linux)

import Foundation
import SnippetTestSupport

/// Says what is wrong after a run that met a fault.
struct FaultOracle {
  let operation: FaultedOperation
  let fixture: FaultFixture
  let reference: FaultFixture.Reference

  /// Looks at the folder of a run, without any fault.
  func violations(of run: FaultedRun, under plan: FaultPlan, in snip: SnipTool) async throws
    -> [String]
  {
    // First, before anything tidies up.
    let files = try FaultFixture.files(in: snip.folder)
    let check = try await snip("check")
    var violations = check.status == 0 ? [] : ["the store is not sound: \(check)"]
    let state: KeptState
    do {
      state = try await KeptState(of: snip.store)
    } catch {
      return violations + ["the store cannot be read: \(error)"]
    }
    violations += ending(of: run, under: plan)
    violations += try contents(state, after: run)
    violations += words(of: run.output, state)
    violations += strayFiles(files, under: plan)
    violations += try await target(files, after: run, in: snip)
    if state.stagedCount > 0, !plan.kills, operation.name != "capture" {
      violations.append("\(state.stagedCount) blobs are left half saved")
    }
    return violations
  }

  // MARK: - The end of the process

  private func ending(of run: FaultedRun, under plan: FaultPlan) -> [String] {
    if !run.isInTime { return ["it did not end in time"] }
    let status = run.output.status
    if plan.kills, run.isStruck { return status == 137 ? [] : ["it was not killed: \(status)"] }
    // Of an import or an export, 1 says that some files failed, of a collection that it could not look
    // for copies; and a lack of descriptors or memory may have no status of its own.
    let isFailure =
      ["import", "export", "export notes"].contains(operation.name)
      || run.output.standardError.contains("could not look for unfinished copies")
      || [.fail(.tooManyOpenFiles), .fail(.noMemory)].contains(plan.action)
    let known: Set<Int32> = isFailure ? [0, 1, 66, 73, 74, 75] : [0, 66, 73, 74, 75]
    return known.contains(status) ? [] : ["its status is \(status): \(run.output.standardError)"]
  }

  // MARK: - The contents

  private func contents(_ state: KeptState, after run: FaultedRun) throws -> [String] {
    var violations: [String] = []
    if !isLegal(state) {
      violations.append("the contents are neither those before nor those after")
    }
    if run.output.status == 0, !isAfter(state) {
      violations.append("the status is 0, and the contents are not those after")
    }
    if operation.onlyReads, run.output.status == 0, run.output.bytes != reference.run.output.bytes {
      violations.append("the status is 0, and the output another one")
    }
    let there = Set(state.snippets.map(\.id))
    for id in try told(by: run.output) where !there.contains(id) {
      violations.append("snippet \(id) was told and is not there")
    }
    for (name, number) in fixture.before.sequences where state.sequences[name, default: 0] < number
    {
      violations.append("the numbers of \(name) went back to \(state.sequences[name, default: 0])")
    }
    return violations
  }

  private func isLegal(_ state: KeptState) -> Bool {
    if isBefore(state) || isAfter(state) { return true }
    switch operation.parts {
    case .none: return false
    case .someOfTheNew:
      let new = newContents(of: state)
      return isUntouched(state) && Set(new).count == new.count
        && Set(new).isSubset(of: newContents(of: reference.state))
    case .someOfTheTrash:
      return state.live == fixture.before.live
        && Set(state.snippets).isSubset(of: fixture.before.snippets)
    }
  }

  private func isBefore(_ state: KeptState) -> Bool { state.snippets == fixture.before.snippets }

  private func isAfter(_ state: KeptState) -> Bool {
    // What is saved next to each other may change places in another run.
    if operation.parts == .someOfTheNew {
      return isUntouched(state)
        && newContents(of: state).sorted() == newContents(of: reference.state).sorted()
    }
    return state.snippets == reference.state.snippets
  }

  private func isUntouched(_ state: KeptState) -> Bool {
    state.snippets.starts(with: fixture.before.snippets)
  }

  private func newContents(of state: KeptState) -> [String] {
    state.snippets.dropFirst(fixture.before.snippets.count).map(\.content)
  }

  /// The numbers that complete lines of standard output tell.
  private func told(by output: SnipOutput) throws -> [Int64] {
    guard operation.tellsNumbers else { return [] }
    let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try lines.compactMap { line in
      if let id = Int64(line) { return id }
      let json = try JSONDecoder().decode(ParsedJSON.self, from: Data(line.utf8))
      return json["outcome"] == "imported" ? json["id"]?.integer : nil
    }
  }

  // MARK: - The message

  /// What a message may say only if it is so.
  private static let unchanged = ["nothing was changed", "unchanged", "left as it is"]
  /// What SQLite says to programmers, and what it says of no error.
  private static let raw = ["not an error", "locking protocol", "SQLITE_", "SQLite error"]

  private func words(of output: SnipOutput, _ state: KeptState) -> [String] {
    let text = output.standardError
    guard output.status != 0, output.status < 128 else { return [] }
    var violations: [String] = []
    if text.isEmpty { violations.append("it failed silently") }
    // To say that what was saved before is unchanged is right where only some is new.
    let isUnchanged = isBefore(state) || (operation.parts == .someOfTheNew && isUntouched(state))
    if !isUnchanged, Self.unchanged.contains(where: text.lowercased().contains) {
      violations.append("it says that nothing changed, and something did: \(text)")
    }
    let lines = text.split(separator: "\n")
    if Self.raw.contains(where: text.contains) || lines.contains(where: isOnlyRaw) {
      violations.append("it says nothing that people understand: \(text)")
    }
    return violations
  }

  private func isOnlyRaw(_ line: Substring) -> Bool { line.hasSuffix(": disk I/O error") }

  // MARK: - The files

  private func strayFiles(_ files: [String: Data], under plan: FaultPlan) -> [String] {
    let store: Set = ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"]
    var violations: [String] = []
    for name in fixture.files.keys where !store.contains(name) && files[name] != fixture.files[name]
    {
      violations.append("\(name) is not what it was")
    }
    // What is killed cannot tidy up, nor what cannot delete.
    let mayLeave = plan.kills || plan.call == .delete
    let temporary = [".partial", "-journal", "-wal", "-shm", "etilqs"]
    for name in files.keys.sorted() where fixture.files[name] == nil && !store.contains(name) {
      let isTemporary = temporary.contains(where: name.contains)
      if isTemporary ? mayLeave : isOfTarget(name) { continue }
      violations.append("\(name) is left behind")
    }
    return violations
  }

  private func isOfTarget(_ name: String) -> Bool {
    operation.target.map { name == $0 || name.hasPrefix($0 + "/") } ?? false
  }

  /// What is wrong with the copy, or with the exported files.
  private func target(_ files: [String: Data], after run: FaultedRun, in snip: SnipTool)
    async throws -> [String]
  {
    guard let target = operation.target else { return [] }
    if target == "notes" { return notes(files, after: run) }
    let last = target == "out" ? "out/manifest.jsonl" : target
    guard files[last] != nil else {
      return run.output.status == 0 ? ["the status is 0, and \(last) is missing"] : []
    }
    if target == "out" {
      return reference.files.keys.filter { name in
        name.hasPrefix("out/") && name != last && files[name] != reference.files[name]
          && !isReportedMissing(name, files, run.output)
      }
      .map { "the manifest is there, and \($0) is missing or another" }
    }
    let check = try await snip("check", "--store", target)
    guard check.status == 0 else { return ["the copy is not sound: \(check)"] }
    let copy = try await KeptState(of: snip.folder.appendingPathComponent(target))
    return copy.snippets == reference.copy?.snippets ? [] : ["the copy has other contents"]
  }

  /// What is wrong with exported notes: each appears whole, and none may be missing without a word.
  private func notes(_ files: [String: Data], after run: FaultedRun) -> [String] {
    reference.files.keys.filter { $0.hasPrefix("notes/") && files[$0] != reference.files[$0] }
      .compactMap { name in
        if files[name] != nil { return "\(name) is not whole" }
        return run.output.status == 0 ? "the status is 0, and \(name) is missing" : nil
      }
  }

  /// Whether a file was left out, and the output names its snippet, whose number begins its name.
  private func isReportedMissing(
    _ name: String,
    _ files: [String: Data],
    _ output: SnipOutput
  ) -> Bool {
    let file = name.split(separator: "/").last ?? ""
    let id = file.prefix { $0.isNumber }
    return output.status == 1 && files[name] == nil && !id.isEmpty
      && output.standardError.contains("snippet \(id):")
  }
}

#endif
