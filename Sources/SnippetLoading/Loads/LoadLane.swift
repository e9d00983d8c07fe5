/// Where loads run.
enum LoadLane: Int, CaseIterable, Hashable, Sendable {
  /// On a worker, which the load may block.
  case worker
  /// In a task of its own, which waits without holding a thread.
  case asynchronous
}

extension LoadLane {
  /// The most loads that run in a lane, and how many of those places take visible loads only.
  struct Limits: Hashable, Sendable {
    var count: Int
    var reservedForVisible: Int
  }

  /// What waits and runs in a lane.
  struct State: Sendable {
    var queue = LoadQueue()
    var running: Set<LoadID> = []
  }
}
