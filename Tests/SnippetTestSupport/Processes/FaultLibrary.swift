#if os(Linux)

import Foundation

/// The library between a program and the kernel; see preloaded_faults.c.
///
/// SwiftPM can only make a loadable library as a product, which every user of the package would
/// see. So Swift's own compiler makes it when it is first needed, beside the command that it is
/// loaded into.
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
    // Another run of the tests may be loading it, so it is replaced as a whole.
    let new = folder.appendingPathComponent("libPreloadedFaults-\(UUID().uuidString).so")
    let options = ["-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
    let arguments = options + ["-o", new.path, source.path]
    var output = try await Shell.run("clang", arguments)
    // `env` runs the C compiler, and returns the status of a shell if there is none.
    if output.status == 127 { output = try await Shell.run("cc", arguments) }
    guard output.status == 0 else { throw Shell.Failure(output: output) }
    guard rename(new.path, file.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return file
  }
}

#endif
