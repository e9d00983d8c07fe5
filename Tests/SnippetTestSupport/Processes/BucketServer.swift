import Foundation

/// A server of S3 on this machine, SeaweedFS, with one empty bucket.
package struct BucketServer: Sendable {
  /// Where it is reached by S3.
  package let endpoint: String
  private let process: SnipProcess
  private let ports: [UInt16]
  private let folder: URL

  /// Starts it in the folder of a tool.
  package init(in tool: SnipTool) throws {
    let identities = """
      {"identities": [{
        "name": "snip", "actions": ["Admin"],
        "credentials": [{"accessKey": "key", "secretKey": "secret"}]
      }]}
      """
    try tool.write(Data(identities.utf8), "s3.json")
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("s3"),
      withIntermediateDirectories: false
    )
    folder = tool.folder
    ports = try FreePorts.find(8)
    endpoint = "http://127.0.0.1:\(ports[6])"
    let names = Self.parts.flatMap { ["\($0).port", "\($0).port.grpc"] }
    let arguments =
      ["-logtostderr=true", "server", "-dir=s3", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3"]
      // It tells nobody of itself, and is nothing but what is needed.
      + ["-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=8"]
      + ["-s3.config=s3.json", "-s3.iam=false", "-s3.port.iceberg=0", "-s3.port.lance=0"]
      + ["filer", "s3"].map { "-\($0).localSocket=\($0).sock" }
      + zip(names, ports).map { "-\($0)=\($1)" }
    process = try tool.start(server: "weed", arguments)
  }

  /// The server ended by itself.
  private struct HasEnded: Error {
    let log: String
  }

  private func log() throws -> String {
    try String(contentsOf: folder.appendingPathComponent("weed.log"), encoding: .utf8)
  }

  private static let parts = ["master", "volume", "filer", "s3"]

  /// Kills it once a test has done its part with it, however that ended.
  package func killed(after body: () async throws -> Void) async throws {
    defer {
      // These it has always here, and leaves behind.
      for (part, port) in zip(Self.parts, stride(from: 1, to: ports.count, by: 2)) {
        unlink("/tmp/seaweedfs-\(part)-grpc-\(ports[port]).sock")
      }
    }
    try await process.killed(after: body)
  }

  /// Makes a bucket, as soon as the server is there to do so.
  package func make(bucket: String) async throws {
    try await until("an answer by S3", within: .seconds(300)) {
      guard !process.hasEnded else { throw HasEnded(log: try log()) }
      return try await LocalServer.answer("\(ports[6])/status") != nil
    }
    // Not twice: what is there is not made again.
    try await until("a bucket on the server", within: .seconds(300)) {
      try await LocalServer.answer(to: "POST", "\(ports[4])/buckets/\(bucket)/") != nil
    }
  }
}
