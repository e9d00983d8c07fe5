import Foundation
import Testing

@testable import SnippetSync

struct RepositoryFormatTests {
  @Test func `the mark of a repository is written and read`() throws {
    let format = RepositoryFormat()

    #expect(format.object == Data(#"{"snippets":1,"repository":"\#(format.repository)"}"#.utf8))
    #expect(try RepositoryFormat(format.object) == format)
    #expect(RepositoryFormat() != format)
  }

  @Test func `keys of later versions are let be`() throws {
    let object = #" {"since":[1],"repository":"\#(Self.name)","snippets":1} "# + "\n"

    #expect(try RepositoryFormat(Data(object.utf8)).repository == Self.name)
  }

  @Test(
    arguments: [
      #"{"snippets":2,"repository":"\#(name)"}"#, #"{"snippets":2}"#,
      #"{"snippets":9999,"repository":{"name":1}}"#,
    ]
  )
  func `a newer repository asks for an update`(object: String) {
    let error = syncError { try RepositoryFormat(Data(object.utf8)) }

    #expect(error?.code == .newerRepository)
    #expect(error?.recoverySuggestion == "Update the app on this device. Nothing was changed.")
  }

  @Test(
    arguments: [
      "", "{}", "[]", "1", "null", "{", #"{"snippets":1}"#, #"{"snippets":1,"repository":""}"#,
      #"{"snippets":1,"repository":1}"#, #"{"snippets":0,"repository":"\#(name)"}"#,
      #"{"snippets":-1,"repository":"\#(name)"}"#, #"{"snippets":"1","repository":"\#(name)"}"#,
      #"{"snippets":1,"repository":"\#(name.uppercased())"}"#,
      #"{"snippets":1,"repository":"\#(name)00"}"#, #"{"snippets":true,"repository":"\#(name)"}"#,
      #"{"snippets":1,"repository":"../../../../../../../../../../../"}"#,
      String(repeating: "[", count: 100_000), #"{"snippets":1e99}"#, "\u{0}", "{\"snippets\":",
    ]
  )
  func `anything else is no repository`(object: String) {
    let error = syncError { try RepositoryFormat(Data(object.utf8)) }

    #expect(error?.code == .noRepository)
    #expect(
      error?.description
        == "Could not open the repository: its object “format” is damaged, or of another program. "
        + "Check the address. A store that takes part can write “format” again (snip sync check --repair)."
    )
  }

  private static let name = "00112233445566778899aabbccddeeff"
}
