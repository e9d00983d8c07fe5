internal import SnippetStorage

/// The names of the events in their flat form; they are a contract.
package enum LoaderEventName: String {
  case viewportMoved, bound, unbound
  case hit, pending, knownFailure
  case loadStarted, loadFinished, loadFailed, loadDelayed, loadCancelled, loadWithdrawn
  case delivered, dropped
  case rowsRead, rowReadFailed, listChanged
  case suspended, resumed, allCancelled, reset, retried, closed
}

/// The fields of all events together; their names are a contract.
package struct LoaderEventFields: Codable {
  package enum CodingKeys: String, CodingKey {
    case at, event, from, to, slot, position, snippet, blob, revision, recipe, version, bytes,
      code, attempt, delay
    case outcome, state, reason, ahead, count
  }

  package let at: Int64
  package let event: String
  package var from: Int?
  package var to: Int?
  package var slot: Int?
  package var position: Int?
  package var snippet: Int64?
  package var blob: Int64?
  package var revision: Int64?
  package var recipe: String?
  package var version: Int?
  package var bytes: Int?
  package var code: String?
  package var attempt: Int?
  package var delay: Int64?
  package var outcome: String?
  package var state: String?
  package var reason: String?
  package var ahead: Bool?
  package var count: Int?

  /// Those that say something, with their names, but for the time.
  var named: [(name: String, value: String)] {
    let texts: [(CodingKeys, String?)] = [
      (.from, from?.description), (.to, to?.description), (.slot, slot?.description),
      (.position, position?.description), (.snippet, snippet?.description),
      (.blob, blob?.description), (.revision, revision?.description), (.recipe, recipe),
      (.version, version?.description), (.bytes, bytes?.description), (.code, code),
      (.attempt, attempt?.description), (.delay, delay.map { "\(Duration.nanoseconds($0))" }),
      (.outcome, outcome), (.state, state), (.reason, reason), (.ahead, ahead?.description),
      (.count, count?.description),
    ]
    return texts.compactMap { key, value in value.map { (key.stringValue, $0) } }
  }

  /// The fields that many events have.
  private init(
    _ name: LoaderEventName,
    _ time: Duration,
    slot: Int? = nil,
    key: LoadKey? = nil,
    range: Range<Int>? = nil
  ) {
    at = time.wholeNanoseconds
    event = name.rawValue
    self.slot = slot
    switch key?.content {
    case .blob(let id): blob = id.rawValue
    case .snippet(let id, let revision): (snippet, self.revision) = (id.rawValue, revision)
    case nil: break
    }
    recipe = key?.recipe.name
    version = key.flatMap { $0.recipe.version == 1 ? nil : $0.recipe.version }
    from = range?.lowerBound
    to = range?.upperBound
  }

  private init(_ name: LoaderEventName, _ time: Duration, scope: LoaderEvent.Scope) {
    self.init(name, time)
    switch scope {
    case .all: break
    case .slot(let slot): self.slot = slot
    case .position(let position): self.position = position
    }
  }

  package init(_ event: LoaderEvent) {
    let time = event.time
    switch event.action {
    case .viewportMoved(let visible):
      self.init(.viewportMoved, time, range: visible)
    case .bound(let slot, let snippet, let position, let outcome):
      self.init(.bound, time, slot: slot)
      (self.snippet, self.position) = (snippet?.rawValue, position)
      self.outcome = outcome.rawValue
    case .unbound(let slot):
      self.init(.unbound, time, slot: slot)
    case .hit(let slot, let key, let byteCount):
      self.init(.hit, time, slot: slot, key: key)
      bytes = byteCount
    case .pending(let slot, let key):
      self.init(.pending, time, slot: slot, key: key)
    case .knownFailure(let slot, let key, let code):
      self.init(.knownFailure, time, slot: slot, key: key)
      self.code = code
    case .loadStarted(let key):
      self.init(.loadStarted, time, key: key)
    case .loadFinished(let key, let byteCount):
      self.init(.loadFinished, time, key: key)
      bytes = byteCount
    case .loadFailed(let key, let code, let attempt):
      self.init(.loadFailed, time, key: key)
      (self.code, self.attempt) = (code, attempt)
    case .loadDelayed(let key, let delay):
      self.init(.loadDelayed, time, key: key)
      self.delay = delay.wholeNanoseconds
    case .loadCancelled(let key):
      self.init(.loadCancelled, time, key: key)
    case .loadWithdrawn(let key):
      self.init(.loadWithdrawn, time, key: key)
    case .delivered(let slot, let key, let state):
      self.init(.delivered, time, slot: slot, key: key)
      self.state = state.rawValue
    case .dropped(let slot, let key, let reason):
      self.init(.dropped, time, slot: slot, key: key)
      self.reason = reason.rawValue
    case .rowsRead(let range, let isAhead, let listCount):
      self.init(.rowsRead, time, range: range)
      (ahead, count) = (isAhead, listCount)
    case .rowReadFailed(let isAhead):
      self.init(.rowReadFailed, time)
      ahead = isAhead
    case .listChanged(let listCount):
      self.init(.listChanged, time)
      count = listCount
    case .suspended:
      self.init(.suspended, time)
    case .resumed:
      self.init(.resumed, time)
    case .allCancelled:
      self.init(.allCancelled, time)
    case .reset(let scope):
      self.init(.reset, time, scope: scope)
    case .retried(let scope):
      self.init(.retried, time, scope: scope)
    case .closed:
      self.init(.closed, time)
    }
  }
}

extension Duration {
  /// The duration without the part of a nanosecond; at most the longest that can be expressed.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isFurther) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !isOverflow, !isFurther else { return seconds < 0 ? .min : .max }
    return sum
  }
}
