public import Foundation
import SnippetBase

// The same for code that may not block: it waits without holding one of Swift's threads.
extension Recording {
  /// Adds bytes at the end, without holding one of Swift's threads meanwhile.
  ///
  /// - Parameter bytes: Any number of bytes.
  /// - Throws: ``SnippetStoreError``, as the blocking form.
  public func append(_ bytes: Data) async throws(SnippetStoreError) {
    try await onOwnThread { () throws(SnippetStoreError) in try self.append(bytes) }
  }

  /// Makes everything durable that has been appended, without holding one of Swift's threads
  /// meanwhile.
  ///
  /// - Throws: ``SnippetStoreError``, as the blocking form.
  public func save() async throws(SnippetStoreError) {
    try await onOwnThread { () throws(SnippetStoreError) in try self.save() }
  }

  /// Makes a snippet of all that was appended, without holding one of Swift's threads meanwhile.
  ///
  /// - Returns: The row of the snippet, which is durable.
  /// - Throws: ``SnippetStoreError``, as the blocking form.
  @discardableResult
  public func finish() async throws(SnippetStoreError) -> SnippetRow {
    try await onOwnThread { () throws(SnippetStoreError) in try self.finish() }
  }

  /// Ends the recording and removes all of it, without holding one of Swift's threads meanwhile.
  ///
  /// - Throws: ``SnippetStoreError``, as the blocking form.
  public func cancel() async throws(SnippetStoreError) {
    try await onOwnThread { () throws(SnippetStoreError) in try self.cancel() }
  }

  private func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(SnippetStoreError) -> Value
  ) async throws(SnippetStoreError) -> Value {
    let result = await OwnThreads.run {
      Result { () throws(SnippetStoreError) in try body() }
    }
    return try result.get()
  }
}
