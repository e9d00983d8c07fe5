/// Work on several objects at once.
enum Transfers {
  /// Runs work for each item, at most some at once, and returns the results in the order of the items.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - limit: The most to work on at once.
  ///   - body: The work for one.
  /// - Returns: The results.
  /// - Throws: The first error, after all work that had begun.
  static func map<Item: Sendable, Value: Sendable>(
    _ items: [Item],
    limit: Int,
    _ body: @escaping @Sendable (Item) async throws(SyncError) -> Value
  ) async throws(SyncError) -> [Value] {
    guard limit > 1 else {
      var values: [Value] = []
      for item in items { values.append(try await body(item)) }
      return values
    }
    let results = await withTaskGroup(of: (Int, Result<Value, SyncError>).self) { group in
      var results: [Int: Result<Value, SyncError>] = [:]
      var next = 0
      var hasFailed = false
      func add() {
        guard next < items.count, !hasFailed else { return }
        let (number, item) = (next, items[next])
        next += 1
        group.addTask {
          do throws(SyncError) {
            return (number, .success(try await body(item)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      for _ in 0..<limit { add() }
      for await (number, result) in group {
        results[number] = result
        if case .failure = result { hasFailed = true }
        add()
      }
      return results
    }
    var values: [Value] = []
    for (_, result) in results.sorted(by: { $0.key < $1.key }) { values.append(try result.get()) }
    return values
  }
}
