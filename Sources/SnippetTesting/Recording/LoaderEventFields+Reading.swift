package import SnippetLoading
internal import SnippetStorage

extension LoaderEventFields {
  /// The event that the fields describe.
  ///
  /// - Throws: `DecodingError`, with the name of the field that is missing or wrong.
  func action() throws -> LoaderEvent.Action {
    guard let name = LoaderEventName(rawValue: event) else {
      throw Self.wrong(.event, "there is no event “\(event.prefix(40))”")
    }
    switch name {
    case .viewportMoved:
      return .viewportMoved(to: try range())
    case .bound:
      return .bound(
        slot: try slot.map { try nonnegative($0, .slot) },
        snippet.map(SnippetID.init(rawValue:)),
        position: try need(position, .position),
        try named(outcome, .outcome)
      )
    case .unbound:
      return .unbound(slot: try boundSlot())
    case .hit:
      return .hit(slot: try boundSlot(), try key(), byteCount: try nonnegative(bytes, .bytes))
    case .pending:
      return .pending(slot: try boundSlot(), try key())
    case .knownFailure:
      return .knownFailure(slot: try boundSlot(), try key(), code: try need(code, .code))
    case .loadStarted:
      return .loadStarted(try key())
    case .loadFinished:
      return .loadFinished(try key(), byteCount: try nonnegative(bytes, .bytes))
    case .loadFailed:
      return .loadFailed(
        try key(),
        code: try need(code, .code),
        attempt: try nonnegative(attempt, .attempt)
      )
    case .loadDelayed:
      return .loadDelayed(try key(), by: .nanoseconds(try nonnegative(delay, .delay)))
    case .loadCancelled:
      return .loadCancelled(try key())
    case .loadWithdrawn:
      return .loadWithdrawn(try key())
    case .delivered:
      return .delivered(slot: try boundSlot(), try key(), try named(state, .state))
    case .dropped:
      return .dropped(slot: try boundSlot(), try key(), try named(reason, .reason))
    case .rowsRead:
      return .rowsRead(
        try range(),
        isAhead: try need(ahead, .ahead),
        listCount: try nonnegative(count, .count)
      )
    case .rowReadFailed:
      return .rowReadFailed(isAhead: try need(ahead, .ahead))
    case .listChanged:
      return .listChanged(listCount: try nonnegative(count, .count))
    case .suspended: return .suspended
    case .resumed: return .resumed
    case .allCancelled: return .allCancelled
    case .reset: return .reset(try scope())
    case .retried: return .retried(try scope())
    case .closed: return .closed
    }
  }

  /// A number that must be there and must not be below 0.
  func nonnegative<Number: FixedWidthInteger>(
    _ value: Number?,
    _ field: CodingKeys
  ) throws -> Number {
    let value = try need(value, field)
    guard value >= 0 else { throw Self.wrong(field, "it is below 0") }
    return value
  }

  private func need<Value>(_ value: Value?, _ field: CodingKeys) throws -> Value {
    guard let value else {
      let context = DecodingError.Context(codingPath: [], debugDescription: "it is missing")
      throw DecodingError.keyNotFound(field, context)
    }
    return value
  }

  private func named<Name: RawRepresentable<String>>(
    _ value: String?,
    _ field: CodingKeys
  ) throws -> Name {
    let value = try need(value, field)
    guard let name = Name(rawValue: value) else {
      throw Self.wrong(field, "it cannot be “\(value.prefix(40))”")
    }
    return name
  }

  private func boundSlot() throws -> Int { try nonnegative(slot, .slot) }

  private func key() throws -> LoadKey {
    let content: LoadKey.Content =
      if let snippet {
        .snippet(SnippetID(rawValue: snippet), revision: try need(revision, .revision))
      } else {
        .blob(BlobID(rawValue: try need(blob, .blob)))
      }
    return LoadKey(content, recipe: Recipe(try need(recipe, .recipe), version: version ?? 1))
  }

  private func range() throws -> Range<Int> {
    let start = try nonnegative(from, .from)
    let end = try need(to, .to)
    guard start <= end else { throw Self.wrong(.to, "it is below “from”") }
    return start..<end
  }

  private func scope() throws -> LoaderEvent.Scope {
    if let slot { return .slot(try nonnegative(slot, .slot)) }
    return position.map(LoaderEvent.Scope.position) ?? .all
  }

  private static func wrong(_ field: CodingKeys, _ reason: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [field], debugDescription: reason))
  }
}

extension LoaderEvent: Decodable {
  /// Reads an event from its flat form; fields that do not belong to the event are ignored.
  ///
  /// - Parameter decoder: Holds one object.
  /// - Throws: `DecodingError`, with the name of the field that is missing or wrong.
  package init(from decoder: any Decoder) throws {
    let fields = try LoaderEventFields(from: decoder)
    self.init(
      time: .nanoseconds(try fields.nonnegative(fields.at, .at)),
      try fields.action()
    )
  }
}
