import Foundation
import SnippetSync
import SnippetTestSupport
import Testing

/// The kinds of place that every carrier must serve alike.
enum CarrierKind: CaseIterable {
  case memory, folder, bucket

  /// All kinds that this machine has, as CI must.
  static let all = allCases.filter { $0 != .bucket || BucketServerTrait.isWanted }

  /// Makes an empty place.
  func makePlace() throws -> CarrierPlace {
    switch self {
    case .memory:
      let place = MemoryPlace()
      return CarrierPlace { place.carrier($0) }
    case .folder:
      let folder = TemporaryDirectory.file("carrier")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      return CarrierPlace { _ in FolderCarrier(folder) }
    case .bucket:
      let server = try #require(BucketServerTrait.running)
      let carrier = try server.carrier(prefix: UUID().uuidString)
      return CarrierPlace { _ in carrier }
    }
  }

  /// Makes a carrier whose place is missing, and tells the error of it.
  func makeMissingPlace() throws -> (carrier: any SyncCarrier, code: SyncError.Code) {
    switch self {
    case .memory:
      return (MemoryPlace(MemoryPlace.Faults(failure: 1)).carrier(), .unreachable)
    case .folder: return (FolderCarrier(TemporaryDirectory.file("nowhere")), .unreachable)
    case .bucket:
      let server = try #require(BucketServerTrait.running)
      return (try server.carrier(bucket: "nowhere"), .noRepository)
    }
  }
}

/// A place and the carriers of several devices to it.
struct CarrierPlace {
  let makeCarrier: (_ device: String) throws -> any SyncCarrier

  func carrier(_ device: String = "a") throws -> any SyncCarrier {
    try makeCarrier(device)
  }
}

/// Starts a server of S3 for the tests of a suite together, where SeaweedFS is installed.
struct BucketServerTrait: SuiteTrait, TestScoping {
  /// The server of the running tests.
  @TaskLocal static var running: BucketServer?

  /// Whether the tests with a server run; in CI they must.
  static let isWanted =
    SnipTool.has("weed") || ProcessInfo.processInfo.environment["CI"] != nil

  static let bucket = "carriers"

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard Self.isWanted else { return try await function() }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-bucket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try BucketServer(in: SnipTool(in: folder))
    try await server.killed {
      try await server.make(bucket: Self.bucket)
      try await Self.$running.withValue(server) { try await function() }
    }
  }
}

extension Trait where Self == BucketServerTrait {
  /// Starts a server of S3 for the tests of a suite together, where SeaweedFS is installed.
  static var bucketServer: Self { Self() }
}

extension BucketServer {
  /// Makes a carrier to the server.
  func carrier(
    bucket: String = BucketServerTrait.bucket,
    prefix: String = "",
    credentials: BucketCredentials = BucketCredentials(accessKey: "key", secretKey: "secret"),
    over transfer: any HTTPTransfer = SystemTransfer(),
    timing: BucketTiming = BucketTiming()
  ) throws -> BucketCarrier {
    try BucketCarrier(
      bucket: bucket,
      prefix: prefix,
      endpoints: [#require(URL(string: endpoint))],
      credentials: credentials,
      transfer: transfer,
      timing: timing
    )
  }
}

/// The code of the error that `body` throws; `nil` for no error or one of another type.
func syncErrorCode<Result>(of body: () async throws -> Result) async -> SyncError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? SyncError)?.code
  }
}
