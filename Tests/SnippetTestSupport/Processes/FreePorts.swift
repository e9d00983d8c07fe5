import Foundation

/// Free ports of this machine.
package enum FreePorts {
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
      return try port(boundTo: descriptor)
    }
  }

  private static func port(boundTo descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return UInt16(bigEndian: address.sin_port)
  }
}
