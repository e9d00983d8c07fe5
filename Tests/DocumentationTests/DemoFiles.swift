import Foundation

/// The files of the sample library.
enum DemoFiles {
  static func bytes(_ name: String) throws -> Data {
    let folder = CodeBlock.package.appendingPathComponent("Sources/SnipCore/DemoLibrary")
    return try Data(contentsOf: folder.appendingPathComponent(name))
  }
}
