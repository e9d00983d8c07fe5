public import Foundation

/// The keys for a bucket.
///
/// Their description shows no secret.
public struct BucketCredentials: Sendable {
  /// The access key, which is no secret.
  public let accessKey: String
  /// The region that the settings name; `nil` if they name none.
  public let region: String?
  let secretKey: String
  let sessionToken: String?

  /// Takes keys.
  ///
  /// - Parameters:
  ///   - accessKey: The access key.
  ///   - secretKey: The secret key.
  ///   - sessionToken: The token of keys that hold for a while; none by default.
  ///   - region: The region of the bucket; none by default.
  public init(
    accessKey: String,
    secretKey: String,
    sessionToken: String? = nil,
    region: String? = nil
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.region = region
  }

  /// Looks for keys where the command `aws` does.
  ///
  /// These are the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and
  /// `AWS_REGION`, then the files `~/.aws/credentials` and `~/.aws/config`, or those that
  /// `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name. Waits for the disk.
  ///
  /// - Parameters:
  ///   - profile: The part of the files. Then keys in the environment do not count. By default the
  ///     one that `AWS_PROFILE` names, or else `default`.
  ///   - environment: The variables; by default those of this process.
  /// - Returns: The keys.
  /// - Throws: ``SyncError/Code/accessDenied`` if there are none. A retry does not help.
  public static func load(
    profile: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(SyncError) -> BucketCredentials {
    // A variable that is set to nothing is as good as none.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let name = profile ?? variable("AWS_PROFILE") ?? "default"
    let folder = (variable("HOME") ?? NSHomeDirectory()) + "/.aws"
    let file = variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(folder)/credentials"
    let settingsFile = variable("AWS_CONFIG_FILE") ?? "\(folder)/config"
    var settings = section(name == "default" ? name : "profile \(name)", of: settingsFile)
    settings.merge(section(name, of: file)) { $1 }
    let region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"]
    if profile == nil, let key = variable("AWS_ACCESS_KEY_ID"),
      let secret = variable("AWS_SECRET_ACCESS_KEY")
    {
      let token = variable("AWS_SESSION_TOKEN")
      return Self(accessKey: key, secretKey: secret, sessionToken: token, region: region)
    }
    guard let key = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"]
    else {
      throw SyncError(
        .accessDenied,
        "find the keys for the bucket",
        because: "the profile '\(name)' has none in \(file)",
        do: profile == nil
          ? "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into that file."
          : "Write aws_access_key_id and aws_secret_access_key into that file."
      )
    }
    return Self(
      accessKey: key,
      secretKey: secret,
      sessionToken: settings["aws_session_token"],
      region: region
    )
  }

  /// Returns the settings of a section; none if there is no such file.
  private static func section(_ name: String, of path: String) -> [String: String] {
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    var settings: [String: String] = [:]
    var isInside = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("[") {
        let title = line.dropFirst().prefix { $0 != "]" }
        isInside = title.split(separator: " ").joined(separator: " ") == name
      } else if isInside, !line.hasPrefix("#"), !line.hasPrefix(";"),
        let mark = line.firstIndex(of: "=")
      {
        let key = line[..<mark].trimmingCharacters(in: .whitespaces).lowercased()
        settings[key] = line[line.index(after: mark)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return settings
  }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible {
  /// The access key alone.
  public var description: String { "access key \(accessKey)" }

  /// The access key alone.
  public var debugDescription: String { description }
}
