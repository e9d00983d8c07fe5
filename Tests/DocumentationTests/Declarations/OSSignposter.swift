#if !canImport(os)
/// The calls of `os` that the samples make, declared as its documentation does, for systems without
/// it. They are compiled only.

struct OSSignpostID: Sendable {}

final class OSSignpostIntervalState: Sendable {}

struct OSSignposter: Sendable {
  init(subsystem: String, category: String) {}

  func makeSignpostID() -> OSSignpostID { OSSignpostID() }
  func beginInterval(_ name: StaticString, id: OSSignpostID) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  func emitEvent(_ name: StaticString) {}
}
#endif
