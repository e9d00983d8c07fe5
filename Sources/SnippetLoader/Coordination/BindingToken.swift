/// One binding of one cell: the place of the cell, and how many bindings it had there.
///
/// A delivery carries the token of the binding that asked, and reaches the cell only while that
/// is still the token of the cell's binding.
struct BindingToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}
