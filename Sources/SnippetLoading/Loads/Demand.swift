/// What the viewports of all lists ask for, in one order.
///
/// Of every list what is visible comes before what any other list asks for ahead; of two lists the
/// one that moved last comes first.
struct Demand: Sendable {
  private var lists: [(id: ListID, loads: [DesiredLoad])] = []

  /// Notes what the viewport of a list asks for, most urgent first, in place of what it asked for
  /// before.
  mutating func declare(_ loads: [DesiredLoad], for list: ListID) {
    remove(list)
    lists.insert((list, loads), at: 0)
  }

  /// Forgets what the viewport of a list asks for.
  mutating func remove(_ list: ListID) {
    lists.removeAll { $0.id == list }
  }

  /// The loads that a cache has room for, most urgent first.
  ///
  /// A blob that would be thrown away, or would throw out a more urgent one, is left to the cells
  /// that need it.
  ///
  /// - Parameter byteLimit: The most bytes in the cache.
  /// - Returns: The loads.
  /// - Complexity: O(*n*) in the number of rows around all viewports.
  func admitted(byteLimit: Int) -> [DesiredLoad] {
    var room = byteLimit
    var loads: [DesiredLoad] = []
    func admit(_ load: DesiredLoad) {
      guard load.cost <= room else { return }
      room -= load.cost
      loads.append(load)
    }
    guard lists.count > 1 else {
      // As a rule it is one list, and that has its loads in order.
      lists.first?.loads.forEach(admit)
      return loads
    }
    var keys: Set<LoadKey> = []
    // One that moves faster than its loads can follow leaves the others on screen in peace.
    let isRushing = { (list: (id: ListID, loads: [DesiredLoad])) in
      list.loads.contains(where: \.isMet)
    }
    let ordered = lists.filter { !isRushing($0) } + lists.filter(isRushing)
    for priority in LoadPriority.allCases.sorted(by: >) {
      for list in priority == .visible ? ordered : lists {
        for load in list.loads where load.priority == priority && keys.insert(load.key).inserted {
          admit(load)
        }
      }
    }
    return loads
  }
}
