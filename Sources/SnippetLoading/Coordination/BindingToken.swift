/// One load of one binding of one cell: the place of the cell, and a number that the place never
/// gives twice.
///
/// A delivery carries the token of the part that asked, and reaches the cell only while the cell is
/// still bound with it.
struct BindingToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}
