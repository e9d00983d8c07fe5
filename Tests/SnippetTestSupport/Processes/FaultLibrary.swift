#if os(Linux)

import Foundation

/// The library that stands between a program and the kernel, see preloaded_faults.c.
///
/// SwiftPM makes a library that can be loaded only of a product, which every user of the package
/// would see. So the compiler that comes with Swift makes it when it is first needed: beside the
/// command that it is loaded into, where all that is built lies.
enum FaultLibrary {
  /// The file of the library, which is made once by each run of the tests.
  static func file() async throws -> URL { try await making.value }

  private static let making = Task { try await make() }

  private static let source = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("CPreloadedFaults/preloaded_faults.c")

  private static func make() async throws -> URL {
    let folder = SnipTool.executable.deletingLastPathComponent()
    let file = folder.appendingPathComponent("libPreloadedFaults.so")
    // Another run of the tests may load it at the moment, so it is replaced as a whole.
    let new = folder.appendingPathComponent("libPreloadedFaults-\(UUID().uuidString).so")
    let options = ["-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
    let arguments = options + ["-o", new.path, source.path]
    var output = try await Shell.run("clang", arguments)
    // The one that is found by `env` if there is none: its status is that of a shell.
    if output.status == 127 { output = try await Shell.run("cc", arguments) }
    guard output.status == 0 else { throw Shell.Failure(output: output) }
    guard rename(new.path, file.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return file
  }
}

#endif
