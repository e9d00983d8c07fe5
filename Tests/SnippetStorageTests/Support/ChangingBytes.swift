import SnippetBase
import SystemPackage

@testable import SnippetStorage

/// Bytes that are others as soon as they have been read once, all of them but for a look at their
/// beginning.
final class ChangingBytes: ByteSource {
  enum Change: String, CaseIterable {
    case otherBytes, otherLastByte, fewerBytes, noBytes, readingFails

    var code: SnippetStoreError.Code {
      self == .readingFails ? .inputOutput : .contentChanged
    }
  }

  static let size = 3 << 20

  private struct State {
    var firstPass: Int64 = 0
    var secondPass: Int64 = 0
  }

  let byteCount: Int64
  private let change: Change?
  private let state = Lock(State())
  private let onSecondPass: @Sendable () -> Void

  init(_ change: Change?, size: Int = size, onSecondPass: @escaping @Sendable () -> Void = {}) {
    self.change = change
    byteCount = Int64(size)
    self.onSecondPass = onSecondPass
  }

  var bytesReadTwice: Int64 { state.withLock(\.secondPass) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let wanted = Int(min(Int64(buffer.count), byteCount - offset))
    let isSecondPass = state.withLock { state in
      if state.firstPass >= byteCount {
        state.secondPass += Int64(wanted)
        return true
      }
      // The first pass goes in order; looks at the beginning come before it.
      if offset == state.firstPass, wanted >= 1 << 18 || offset + Int64(wanted) == byteCount {
        state.firstPass += Int64(wanted)
      }
      return false
    }
    buffer.initializeMemory(as: UInt8.self, repeating: 1)
    guard isSecondPass else { return wanted }
    onSecondPass()
    switch change {
    case nil: break
    case .otherBytes:
      buffer.initializeMemory(as: UInt8.self, repeating: 2)
    case .otherLastByte:
      if offset + Int64(wanted) == byteCount { buffer[wanted - 1] = 2 }
    case .fewerBytes:
      return offset + Int64(wanted) == byteCount ? wanted - 1 : wanted
    case .noBytes:
      return 0
    case .readingFails:
      throw FileError("a broken disk", .ioError)
    }
    return wanted
  }
}
