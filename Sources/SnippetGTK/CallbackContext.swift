#if GTK
/// A Swift value as the context of C callbacks, which owns it.
package enum CallbackContext {
  private final class Box<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Makes the context of a value.
  ///
  /// - Parameter value: The value, which lives until the context is released or taken.
  /// - Returns: The context.
  package static func make<Value>(_ value: Value) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Box(value)).toOpaque()
  }

  /// The value of a context that was made of one of that type.
  package static func value<Value>(of context: UnsafeRawPointer) -> Value {
    Unmanaged<Box<Value>>.fromOpaque(context).takeUnretainedValue().value
  }

  /// The value of a context that is called once and then released.
  package static func take<Value>(_ context: UnsafeRawPointer) -> Value {
    Unmanaged<Box<Value>>.fromOpaque(context).takeRetainedValue().value
  }

  /// Releases a context of any type; a `GDestroyNotify`.
  package static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
  }
}
#endif
