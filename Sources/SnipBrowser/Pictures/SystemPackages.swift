import Foundation

/// The names of this system's packages for decoding pictures and recordings.
struct SystemPackages: Equatable {
  private enum System: Equatable {
    /// With the number of its release; one later than the known ones if the system does not say.
    case debian(Int)
    case ubuntu(Int)
    case homebrew
    case other
  }

  /// The name of the system, for brackets after packages; empty where packages are not named.
  let systemName: String
  private let system: System

  /// The packages of this machine, looked up once.
  static let current: SystemPackages = {
    #if canImport(Darwin)
    SystemPackages(.homebrew, "Homebrew")
    #else
    let places = ["/etc/os-release", "/usr/lib/os-release"]
    let text = places.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first
    return SystemPackages(osRelease: text ?? "")
    #endif
  }()

  /// Reads the description that a system gives of itself.
  ///
  /// - Parameter osRelease: The text of `/etc/os-release`.
  init(osRelease: String) {
    var facts: [Substring: String] = [:]
    for line in osRelease.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      facts[parts[0]] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    }
    let likes = facts["ID_LIKE"]?.split(separator: " ") ?? []
    let number = facts["VERSION_ID"].flatMap { Int($0.prefix { $0.isNumber }) }
    switch facts["ID"] {
    case "debian":
      self.init(.debian(number ?? .max), number.map { "Debian \($0)" } ?? "Debian")
    case "ubuntu":
      self.init(.ubuntu(number ?? .max), facts["VERSION_ID"].map { "Ubuntu \($0)" } ?? "Ubuntu")
    // Systems derived from one of the two have release numbers of their own.
    case _ where facts["UBUNTU_CODENAME"] != nil || likes.contains("ubuntu"):
      let isOld = ["focal", "jammy"].contains(facts["UBUNTU_CODENAME"])
      self.init(.ubuntu(isOld ? 22 : .max), "Ubuntu")
    case _ where likes.contains("debian"):
      let isOld = ["bullseye", "bookworm"].contains(facts["DEBIAN_CODENAME"])
      self.init(.debian(isOld ? 12 : .max), "Debian")
    default: self.init(.other, "")
    }
  }

  private init(_ system: System, _ systemName: String) {
    (self.system, self.systemName) = (system, systemName)
  }

  /// Debian since 13 and Ubuntu since 24.04: libraries with 64-bit times, and codecs of libheif in
  /// packages of their own.
  private var isNew: Bool {
    switch system {
    case .debian(let number): number >= 13
    case .ubuntu(let number): number >= 24
    case .homebrew, .other: false
    }
  }

  /// The packages that libvips needs to run.
  var libvips: String {
    switch system {
    case .debian, .ubuntu: isNew ? "libvips42t64" : "libvips42"
    case .homebrew: "vips"
    case .other: "libvips 8.13 or later"
    }
  }

  /// The package that libav needs to run.
  ///
  /// - Parameter number: The version of libavformat that this program was built with.
  /// - Returns: The package, or words to look for.
  func libav(_ number: Int) -> String {
    switch system {
    case .debian, .ubuntu: "libavformat\(number)"
    case .homebrew: "ffmpeg"
    case .other: "the release of FFmpeg that has libavformat.so.\(number)"
    }
  }

  /// The package for drawing pictures in a terminal.
  var libchafa: String {
    switch system {
    case .debian, .ubuntu: isNew ? "libchafa0t64" : "libchafa0"
    case .homebrew: "chafa"
    case .other: "libchafa 1.8 or later"
    }
  }

  /// The package for decoding pictures in a HEIC.
  var heic: String {
    switch system {
    case .debian, .ubuntu: isNew ? "libheif-plugin-libde265" : "libheif1 and libde265-0"
    case .homebrew: "libheif"
    case .other: "libheif with libde265"
    }
  }

  /// The package for decoding pictures in an AVIF.
  var avif: String {
    switch system {
    case .debian, .ubuntu:
      isNew ? "libheif-plugin-aomdec or libheif-plugin-dav1d" : "libheif1 and libaom3"
    case .homebrew: "libheif"
    case .other: "libheif with libaom or dav1d"
    }
  }

  /// The package for the filter of system calls.
  var libseccomp: String {
    switch system {
    case .debian, .ubuntu: "libseccomp2"
    case .homebrew, .other: "libseccomp"
    }
  }

  /// The packages for building with decoders.
  var forBuild: String {
    switch system {
    case .debian, .ubuntu: "libavformat-dev, \(libchafa) and \(libvips)"
    case .homebrew: "vips, ffmpeg and chafa"
    case .other: "libvips, libchafa, and FFmpeg with its headers"
    }
  }
}
