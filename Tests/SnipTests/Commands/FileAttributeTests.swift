import Foundation
import SnippetTestSupport
import Testing

/// Files and folders with the attributes of `chattr`, which hold even for root.
@Suite(
  .temporaryDirectory,
  .timeLimit(.minutes(30)),
  .enabled(if: FullDiskCommandTests.canMountImage)
)
struct FileAttributeTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  /// Runs lines in a folder on a disk that has such attributes.
  private func shell(_ lines: String) async throws -> SnipOutput {
    try await snip.shell(
      """
      mkdir disk && truncate -s 24m image && mkfs.ext4 -q image && unshare -m sh -c '
      mount -o loop image disk && cd disk || exit 99
      \(lines)'
      """
    )
  }

  /// Expects the refusal of a folder that can only be appended to, and nothing in it.
  private func expectRefusal(
    _ output: SnipOutput,
    _ ending: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let advice = "hint: Choose another folder, or clear its attribute “append only”.\n"
    #expect(output.text == "73\n", "\(output)", sourceLocation: sourceLocation)
    #expect(
      output.standardError.hasSuffix("\(ending)\n\(advice)"),
      "\(output)",
      sourceLocation: sourceLocation
    )
  }

  @Test(arguments: [
    ("a", "its file can only be appended to"), ("i", "its file is protected from changes"),
  ])
  func `a store with an attribute is read, and a change tells which one`(
    attribute: String,
    reason: String
  ) async throws {
    let output = try await shell(
      """
      snip add --text Milk --store store > /dev/null
      chattr +\(attribute) store
      snip cat 1 --store store && echo
      snip add --text Bread --store store
      echo $?
      chattr -\(attribute) store
      snip add --text Bread --store store
      """
    )

    #expect(
      output
        == SnipOutput(
          "Milk\n73\n2\n",
          error: """
            snip: could not save a snippet: \(reason)
            hint: Nothing was changed. Clear the attribute with chattr -\(attribute); lsattr shows it.

            """
        )
    )
  }

  @Test func `a backup into a folder where nothing can be removed is refused, and leaves nothing`()
    async throws
  {
    let output = try await shell(
      """
      snip add --text Milk --store store > /dev/null
      mkdir kept && chattr +a kept
      snip backup kept/copy --store store 2> err
      echo $? $(ls kept)
      cat err >&2
      """
    )

    expectRefusal(output, "/kept/copy, nothing can be renamed or removed")
  }

  @Test func `a new store in a folder where nothing can be removed is refused, and leaves nothing`()
    async throws
  {
    let output = try await shell(
      """
      mkdir kept && chattr +a kept
      snip add --text Milk --store kept/store 2> err
      echo $? $(ls kept)
      cat err >&2
      """
    )

    expectRefusal(output, "/kept/store, nothing can be renamed or removed")
  }

  @Test(arguments: [
    ("snip restore - --store kept/new < copy", "new"),
    ("snip restore - --store kept/old < copy", "old"),
    ("snip restore copy --store kept/old", "old"),
    ("snip cat 1 --store store -o kept/new", "new"),
    ("snip cat 1 --store store -o kept/text", "text"),
  ])
  func `where nothing can be removed, no unfinished file stays`(command: String, name: String)
    async throws
  {
    let output = try await shell(
      """
      snip add --text Milk --store store > /dev/null
      snip backup copy --store store > /dev/null 2>&1
      mkdir kept && cp copy kept/old && echo text > kept/text && chattr +a kept
      \(command) 2> err
      echo $? $(ls -A kept)
      cat err >&2
      """
    )

    #expect(output.text == "73 old text\n", "\(output)")
    #expect(
      output.standardError.hasSuffix(
        """
        /kept/\(name), nothing can be renamed or removed
        hint: Choose another folder, or clear its attribute “append only”.

        """
      ),
      "\(output)"
    )
  }

  @Test(arguments: ["", "--markdown"])
  func `an export to where nothing can be removed is refused, and leaves nothing`(form: String)
    async throws
  {
    let output = try await shell(
      """
      snip add --text Milk --store store > /dev/null
      mkdir kept && chattr +a kept
      snip export \(form) kept --store store 2> err
      echo $? $(ls -A kept)
      cat err >&2
      """
    )

    expectRefusal(output, "/kept: nothing in it can be renamed or removed")
  }
}
