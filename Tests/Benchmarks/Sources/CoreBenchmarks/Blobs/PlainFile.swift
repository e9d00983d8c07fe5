import Foundation

/// A file as a program reads it that has nothing else to do.
package enum PlainFile {
  /// The sizes in bytes at which blobs are compared with files.
  package static let sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

  /// A size as the table names it.
  package static func name(of size: Int) -> String {
    size < 1_000_000 ? "\(size / 1000) kB" : "\(size / 1_000_000) MB"
  }

  private static let thread = DispatchQueue(label: "files")

  /// Reads on a thread that may block, as an app does that must not block its own.
  package static func onThread(_ read: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      thread.async { continuation.resume(with: Result { try read() }) }
    }
  }

  /// Opens, asks for the size, reads all and closes; the memory is not filled with zeros first, as
  /// ours is not.
  @discardableResult
  package static func read(_ path: String, _ size: Int) throws -> Data {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == size,
      let memory = malloc(size)
    else { throw RawError(message: "cannot open the file") }
    let data = Data(bytesNoCopy: memory, count: size, deallocator: .free)
    var done = 0
    while done < size {
      let count = Foundation.read(descriptor, memory + done, size - done)
      guard count > 0 else { throw RawError(message: "cannot read the file") }
      done += count
    }
    return data
  }
}

extension Data {
  /// Bytes that are like no others.
  package static func random(count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    var data = Data(count: count)
    data.withUnsafeMutableBytes { buffer in
      var state = generator.next()
      for index in stride(from: 0, to: count - 7, by: 8) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        buffer.storeBytes(of: state, toByteOffset: index, as: UInt64.self)
      }
    }
    return data
  }
}
