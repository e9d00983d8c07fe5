#if GTK
package import CGTK
internal import CSnippetGTK

/// A signal of GTK, as a handler receives it.
@MainActor
package struct GTKSignal {
  fileprivate let result: UnsafeMutablePointer<GValue>?
  fileprivate let values: UnsafePointer<GValue>

  /// Answers the emitter: whether the signal was handled, or whether to continue.
  ///
  /// - Parameter answer: The answer.
  package func answer(_ answer: Bool) {
    if let result { g_value_set_boolean(result, answer ? 1 : 0) }
  }

  /// Gives the emitter the object that it asked for.
  ///
  /// - Parameter object: The object, which belongs to the emitter from now on.
  package func answer(giving object: OpaquePointer) {
    if let result { g_value_take_object(result, UnsafeMutableRawPointer(object)) }
  }

  /// An argument that is an object; the first is at 1, and the emitter is at 0.
  ///
  /// - Parameter place: The argument's place.
  /// - Returns: The object; `nil` where there is none.
  package func object(_ place: Int) -> OpaquePointer? {
    g_value_get_object(values + place).map { OpaquePointer($0) }
  }

  /// An argument that is a value of any type, such as that of a drop.
  ///
  /// - Parameter place: The argument's place.
  /// - Returns: The value, which belongs to the emitter.
  package func boxed(_ place: Int) -> UnsafePointer<GValue> {
    // A value within a value is a pointer to it.
    g_value_get_boxed(values + place).map { UnsafePointer($0.assumingMemoryBound(to: GValue.self)) }
      ?? values + place
  }

  /// An argument that is a number without a sign, such as a position or a key.
  ///
  /// - Parameter place: The argument's place.
  /// - Returns: The number.
  package func number(_ place: Int) -> Int { Int(g_value_get_uint(values + place)) }

  /// An argument that is a number with a sign, such as a response.
  ///
  /// - Parameter place: The argument's place.
  /// - Returns: The number.
  package func signedNumber(_ place: Int) -> Int { Int(g_value_get_int(values + place)) }

  /// An argument that is a number with a fraction, such as a place on screen.
  ///
  /// - Parameter place: The argument's place.
  /// - Returns: The number.
  package func double(_ place: Int) -> Double { g_value_get_double(values + place) }
}

/// Calls a closure on each signal of an object, for as long as the object lives.
///
/// - Parameters:
///   - signal: The name of the signal, such as `clicked` or `notify::text`.
///   - object: The object. GTK writes a warning where it has no such signal.
///   - isAfter: Whether the object's own handler comes first. The default is that it comes last.
///   - handler: Takes the signal. Everything it holds is released with the object.
@MainActor
package func onSignal(
  _ signal: String,
  of object: OpaquePointer,
  after isAfter: Bool = false,
  _ handler: @escaping @MainActor (GTKSignal) -> Void
) {
  _ = snippet_connect(
    UnsafeMutableRawPointer(object),
    signal,
    isAfter ? 1 : 0,
    { context, result, values, _ in
      // GTK emits its signals on the main thread; the pointers are valid during the call.
      nonisolated(unsafe) let (context, result, values) = (context, result, values)
      MainActor.assumeIsolated {
        OwnTime.measure {
          let handler: @MainActor (GTKSignal) -> Void = CallbackContext.value(of: context)
          handler(GTKSignal(result: result, values: values))
        }
      }
    },
    CallbackContext.make(handler),
    { CallbackContext.release(UnsafeMutableRawPointer(mutating: $0)) }
  )
}

/// Calls a closure on each signal of a widget, for as long as the widget lives.
///
/// - Parameters:
///   - signal: The name of the signal.
///   - object: The object.
///   - isAfter: Whether the object's own handler comes first. The default is that it comes last.
///   - handler: Takes the signal.
@MainActor
package func onSignal<Object>(
  _ signal: String,
  of object: UnsafeMutablePointer<Object>,
  after isAfter: Bool = false,
  _ handler: @escaping @MainActor (GTKSignal) -> Void
) {
  onSignal(signal, of: OpaquePointer(object), after: isAfter, handler)
}
#endif
