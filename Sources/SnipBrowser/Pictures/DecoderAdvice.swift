package import SnippetMedia
package import SnippetStorage
import TerminalKit

/// Advice for when an image or a recording cannot be decoded.
package struct DecoderAdvice {
  /// The types that can be decoded.
  var support: MediaSupport
  /// The names of packages.
  var packages: SystemPackages

  /// Advises on this system.
  ///
  /// - Parameter support: The types that can be decoded. The default is those of this process.
  package init(support: MediaSupport = .current) {
    self.init(support: support, packages: .current)
  }

  /// Advises on a system.
  init(support: MediaSupport = .current, packages: SystemPackages) {
    (self.support, self.packages) = (support, packages)
  }

  private func install(_ names: String) -> String {
    "install \(names)" + (packages.systemName.isEmpty ? "" : " (\(packages.systemName))")
  }

  /// The libraries that a build lacks.
  var forBuild: String {
    install(packages.forBuild) + ", then build with the trait Media, which is on by default"
  }

  /// The reason why nothing of a kind can be decoded, with a remedy; `nil` if something can.
  package func missing(_ kind: SnippetKind) -> (reason: String, remedy: String)? {
    let (name, version) =
      kind == .image ? ("libvips", support.libvipsVersion) : ("libav", support.libavVersion)
    guard version == nil else { return nil }
    guard let number = support.libavformatNumber else {
      return ("snip was built without \(name)", forBuild)
    }
    if kind == .image { return ("libvips is not installed", install(packages.libvips)) }
    return (
      "libav is not installed, of the number that snip was built for (libavformat.so.\(number))",
      install(packages.libav(number)) + ", or build snip anew on this system"
    )
  }

  /// The reason why pictures cannot be drawn in a terminal, with a remedy; `nil` if they can.
  package var missingDrawing: (reason: String, remedy: String)? {
    guard TerminalAbilities.libraryVersion == nil else { return nil }
    guard support.libavformatNumber != nil else {
      return ("snip was built without libchafa", forBuild)
    }
    return ("libchafa is not installed", install(packages.libchafa))
  }

  /// The part that is missing for a type, and the package to install if that helps.
  package func remedy(for type: ContentType) -> String {
    if let missing = missing(type.kind) { return "\(missing.reason): \(missing.remedy)" }
    return switch type {
    case .heic: install(packages.heic) + ", with which libvips decodes it"
    case .avif: install(packages.avif) + ", with which libvips decodes it"
    case .bmp where !support.decodableTypes.contains(type):
      missing(.voice).map { "\($0.reason): \($0.remedy)" }
        ?? "this build of the library is without it"
    case _ where support.decodableTypes.contains(type):
      "its coding is one that is not decoded; kept and exported as it is"
    default: "this build of the library is without it"
    }
  }

  /// The remedy when decoding processes run without a filter; `nil` if they have one.
  package func remedy(for filter: SystemCallFilter) -> String? {
    switch filter {
    case .on: nil
    case .libraryMissing:
      "without a filter of system calls: \(install(packages.libseccomp)), which writes it"
    case .refused(let reason):
      "without a filter of system calls, which this system refuses (\(reason)): a container may "
        + "have to allow seccomp"
    case .unsupported: "without a filter of system calls, which there is on Linux only"
    }
  }

  /// The reason why a snippet is not drawn, with a remedy, on one line.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - error: The error of the decoder.
  /// - Returns: The line, safe to print.
  package func line(_ row: SnippetRow, _ error: MediaError) -> String {
    guard error.code == .noDecoder else {
      let text = "Not drawn: \(error.reason). \(error.recoverySuggestion ?? "")"
      return TerminalText(text, lines: .folded).description
    }
    guard support.libavformatNumber != nil else {
      return "Not drawn: snip was built without decoders; \(forBuild)."
    }
    let type = ContentType(mediaType: row.mediaType)
    let remedy = type.map(remedy(for:)) ?? "`snip doctor` lists the decoders"
    let name = type?.name ?? row.mediaType
    let text = "Not drawn: there is no decoder for \(name) here; \(remedy)."
    return TerminalText(text, lines: .folded).description
  }
}
