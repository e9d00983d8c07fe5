/// The version of the programs.
package enum ProgramVersion {
  /// The version, as `--version` prints it.
  package static let current = "0.1.0"
}
