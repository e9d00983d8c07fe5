/// The number of a list that shares its loads with others; no number is given twice.
struct ListID: Hashable, Sendable {
  let rawValue: UInt32
}

/// Identifies one load of one binding of one cell: its list, the place of the cell, and a number
/// that the place never gives twice.
///
/// A delivery carries the token of the part that asked for it, and reaches the cell only while the
/// cell is still bound with that token.
struct BindingToken: Hashable, Sendable {
  var list = ListID(rawValue: 0)
  let slot: UInt32
  let generation: UInt32
}
