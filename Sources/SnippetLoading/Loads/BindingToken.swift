/// Which of the lists that share their loads; no number is given twice.
struct ListID: Hashable, Sendable {
  let rawValue: UInt32
}

/// One load of one binding of one cell: its list, the place of the cell, and a number that the place
/// never gives twice.
///
/// A delivery carries the token of the part that asked, and reaches the cell only while the cell is
/// still bound with it.
struct BindingToken: Hashable, Sendable {
  var list = ListID(rawValue: 0)
  let slot: UInt32
  let generation: UInt32
}
