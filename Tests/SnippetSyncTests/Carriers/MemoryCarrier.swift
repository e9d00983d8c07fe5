import Foundation
import SnippetBase
import SnippetSync
import Testing

/// A place in memory where carriers of a test meet, and where everything can go wrong that the
/// protocol allows.
///
/// The same seed and the same calls give the same course of events.
final class MemoryPlace: Sendable {
  /// The faults of a place, by their probability at each call.
  struct Faults {
    /// The call fails, and has done nothing.
    var failure = 0.0
    /// The call fails, and has done its work.
    var lostReply = 0.0
    /// A reader does not see a change of an object yet: in listings, and when it reads.
    var delay = 0.0
    /// A reader gets the beginning of an object.
    var tornRead = 0.0
    /// A listing names an object twice.
    var doubledName = 0.0
    /// A listing comes in the opposite order.
    var reversal = 0.0
    /// A place that cannot tell whether an object is new, and replaces it.
    var ignoresIsNew = false

    static let none = Faults()
  }

  /// A fault that comes at the next call that it fits.
  enum Fault: Hashable {
    case failure, lostReply, tornRead
  }

  fileprivate struct State {
    var faults: Faults
    var script: [Fault] = []
    var generator: SplitMix64
    /// All bytes that each name ever had; `nil` for a removal.
    var versions: [String: [Data?]] = [:]
    /// The number of versions that each reader knows of.
    var known: [String: [String: Int]] = [:]
  }

  private let state: Lock<State>

  init(seed: UInt64 = 1, _ faults: Faults = .none) {
    state = Lock(State(faults: faults, generator: SplitMix64(seed: seed)))
  }

  /// Returns the carrier of a device.
  func carrier(_ device: String = "a") -> MemoryCarrier {
    MemoryCarrier(place: self, device: device)
  }

  /// The objects as they are, whatever the readers see.
  var objects: [String: Data] {
    state.withLock { $0.versions.compactMapValues { $0.last ?? nil } }
  }

  /// Adds faults of the next calls, in their order.
  func script(_ faults: Fault...) {
    state.withLock { $0.script += faults }
  }

  /// Sets other faults from now on.
  func set(_ faults: Faults) {
    state.withLock { $0.faults = faults }
  }

  /// Lets all readers see everything.
  func settle() {
    state.withLock { state in
      for device in state.known.keys { state.known[device] = state.versions.mapValues(\.count) }
    }
  }

  /// Lets a device see what another one sees now.
  func copyView(of device: String, to other: String) {
    state.withLock { $0.known[other] = $0.known[device] }
  }

  /// Changes an object behind the back of all; `nil` removes it.
  func put(_ data: Data?, as name: String) {
    state.withLock { $0.versions[name, default: []].append(data) }
  }

  fileprivate func list(_ prefix: String, by device: String) throws(SyncError) -> [ObjectMark] {
    try perform("list \(prefix)") { state in
      var marks: [ObjectMark] = []
      for name in state.versions.keys.sorted() where name.hasPrefix(prefix) {
        guard let (data, number) = state.look(at: name, by: device) else { continue }
        let mark = ObjectMark(name: name, byteCount: Int64(data.count), tag: "\(number)")
        marks.append(mark)
        if state.generator.chance(state.faults.doubledName) { marks.append(mark) }
      }
      return state.generator.chance(state.faults.reversal) ? marks.reversed() : marks
    }
  }

  fileprivate func read(_ name: String, by device: String) throws(SyncError) -> Data? {
    try perform("read \(name)") { state in
      guard let (data, _) = state.look(at: name, by: device) else { return nil }
      guard state.takes(.tornRead, state.faults.tornRead) else { return data }
      return data.prefix(state.generator.below(max(data.count, 1)))
    }
  }

  fileprivate func write(
    _ data: Data,
    as name: String,
    isNew: Bool,
    by device: String
  ) throws(SyncError) {
    let isRefused = try perform("write \(name)") { state in
      if isNew, !state.faults.ignoresIsNew, let present = state.versions[name]?.last ?? nil {
        return present != data
      }
      state.append(data, as: name, by: device)
      return false
    }
    guard isRefused else { return }
    throw SyncError(.alreadyExists, "write \(name)", because: "it has other bytes")
  }

  fileprivate func remove(_ name: String, by device: String) throws(SyncError) {
    try perform("remove \(name)") { state in
      if state.versions[name] != nil { state.append(nil, as: name, by: device) }
    }
  }

  private func perform<Result: Sendable>(
    _ operation: String,
    _ body: (inout State) -> Result
  ) throws(SyncError) -> Result {
    if Task.isCancelled {
      throw SyncError(.cancelled, operation, because: "the task was cancelled")
    }
    let result: Result? = state.withLock { state in
      if state.takes(.failure, state.faults.failure) { return nil }
      let result = body(&state)
      return state.takes(.lostReply, state.faults.lostReply) ? nil : result
    }
    if let result { return result }
    throw SyncError(.unreachable, operation, because: "the test says so")
  }
}

extension MemoryPlace.State {
  /// Whether a fault comes now, by the script or by chance.
  fileprivate mutating func takes(_ fault: MemoryPlace.Fault, _ probability: Double) -> Bool {
    if script.first == fault {
      script.removeFirst()
      return true
    }
    return generator.chance(probability)
  }

  /// Returns an object as a reader sees it now, which is never older than it has seen it before.
  fileprivate mutating func look(at name: String, by device: String) -> (Data, number: Int)? {
    let versions = versions[name] ?? []
    var count = known[device]?[name] ?? 0
    while count < versions.count, !generator.chance(faults.delay) { count += 1 }
    known[device, default: [:]][name] = count
    guard count > 0, let data = versions[count - 1] else { return nil }
    return (data, count)
  }

  /// Adds a version, which its writer sees at once.
  fileprivate mutating func append(_ data: Data?, as name: String, by device: String) {
    versions[name, default: []].append(data)
    known[device, default: [:]][name] = versions[name]?.count
  }
}

/// The way of one device to a ``MemoryPlace``.
struct MemoryCarrier: SyncCarrier {
  let place: MemoryPlace
  let device: String

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    guard prefix.isEmpty || prefix.hasSuffix("/"), Self.allows(prefix + "x") else {
      throw Self.wrong("list \(prefix)")
    }
    return try place.list(prefix, by: device)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    guard Self.allows(name) else { throw Self.wrong("read \(name)") }
    return try place.read(name, by: device)
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    guard Self.allows(name), data.count <= ObjectRules.byteLimit else {
      throw Self.wrong("write \(name)")
    }
    try place.write(data, as: name, isNew: isNew, by: device)
  }

  func remove(_ name: String) async throws(SyncError) {
    guard Self.allows(name) else { throw Self.wrong("remove \(name)") }
    try place.remove(name, by: device)
  }

  private static func allows(_ name: String) -> Bool { ObjectRules.allow(name) }

  private static func wrong(_ operation: String) -> SyncError {
    SyncError(.invalidInput, operation, because: "that is no name of an object")
  }
}
