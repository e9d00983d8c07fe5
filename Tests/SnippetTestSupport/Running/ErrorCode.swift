package import SnippetStorage

/// The code of the error that `body` throws; `nil` for no error or one of another type.
package func errorCode<Result>(of body: () throws -> Result) -> SnippetStoreError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? SnippetStoreError)?.code
  }
}

/// The code of the error that `body` throws; `nil` for no error or one of another type.
package func errorCode<Result>(
  of body: () async throws -> Result
) async -> SnippetStoreError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? SnippetStoreError)?.code
  }
}
