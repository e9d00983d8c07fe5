import Foundation
import SnippetBase

/// Free ports of this machine.
///
/// The system gives none of them to a socket that asks for any port, or that connects: a server may
/// take a while until it listens.
package enum FreePorts {
  private static let range: Range<UInt16> = 10_000..<32_768

  /// Finds some, all different.
  package static func find(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    // Keep each until all are found, so that none is found twice.
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      #if os(Linux)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      sockets.append(descriptor)
      for _ in range {
        let port = UInt16.random(in: range)
        if bind(descriptor, to: port) { return port }
        guard errno == EADDRINUSE else { break }
      }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  private static func bind(_ descriptor: Int32, to port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        SnippetBase.bind(descriptor, pointer, size) == 0
      }
    }
  }
}
