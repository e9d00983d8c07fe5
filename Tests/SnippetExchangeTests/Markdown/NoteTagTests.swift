import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

/// Tags and properties as programs other than Obsidian write them.
struct NoteTagTests {
  // MARK: - Logseq

  @Test(arguments: [
    ("tags:: one, two words\n\n- text", ["one", "two words"]),
    ("tags:: #one #[[two words]] [[three]]\n- text", ["one", "two words", "three"]),
    ("- tags:: one\n- text", ["one"]), ("title:: x\ntags:: one\r\nmore", ["one"]),
    ("alias::\ntags:: one", ["one"]), ("alias::\r\ntags:: one\r\n", ["one"]), ("tags::", []),
    ("größe:: 3\nlogseq.order:: 1\nnote/kind:: b\ntags:: one", ["one"]),
    ("std::vector\ntags:: one", []), ("TAGS:: one", ["one"]),
    ("text\ntags:: one", []), ("tags::one", []), ("tags:: ", []),
    ("a #[[two words]] b, #[[ c  d ]]", ["two words", "c d"]), ("#[[open", []), ("#[[]]", []),
    ("`#[[code]]`", []),
  ])
  func `properties of a page and links with a mark are tags`(text: String, tags: [String]) {
    #expect(NoteMetadata(text).tags == tags)
  }

  @Test func `properties of a page give its title and dates`() {
    let note = NoteMetadata(
      "title:: The plan\ncreated-at:: 1604538028291\nupdated-at:: [[2024-02-06]]\npublic:: true\n\nx"
    )
    #expect(note.title == "The plan")
    #expect(note.createdAt?.timeIntervalSince1970 == 1_604_538_028.291)
    #expect(note.modifiedAt == WrittenDate(2024, 2, 6)?.date())
    #expect(NoteMetadata("date:: soon\n").unread.count == 1)
    #expect(NoteMetadata("---\ntitle: a\n---\ntitle:: b\ntags:: c\n").title == "a")
    #expect(NoteMetadata("---\ntitle: a\n---\ntitle:: b\ntags:: c\n").tags == ["c"])
  }

  // MARK: - Bear

  @Test(arguments: [
    ("#two words#", ["two words"]), ("- #two  words# #one", ["two words", "one"]),
    ("#work/big plans# and #a/b", ["work/big plans", "a/b"]), ("#one#", ["one"]),
    ("#one and #two#", ["one", "two"]), ("#100 days# #12 34#", ["100 days"]),
    ("C# and F# are", []), ("# C# and F#", []), ("## Twice ##", []), ("# #", []), ("#C and", ["C"]),
    ("#one, or 5 # 6#x", ["one"]), ("#one two#x", ["one"]), ("#one\ntwo#", ["one"]),
    ("`#a b#` #c `d#`", ["c"]), ("#\(String(repeating: "so ", count: 40))C# ", ["so"]),
  ])
  func `in a bundle a second mark closes a tag of several words`(text: String, tags: [String]) {
    #expect(NoteMetadata(text, ofBundle: true).tags == tags)
  }

  @Test func `outside of a bundle a tag is one word`() {
    #expect(NoteMetadata("#two words#").tags == ["two"])
  }

  // MARK: - Code

  @Test(arguments: [
    ("``#a ` #b`` ` #c ` #d", ["d"]), ("``` #a `` #b", ["a", "b"]), ("` #a `` #b ` #c", ["c"]),
  ])
  func `code ends with as many backticks as it begins with`(text: String, tags: [String]) {
    #expect(NoteMetadata(text).tags == tags)
  }

  @Test(arguments: [
    "- ```python\n  #no\n  ```\n- #yes", "1. ~~~\n   #no\n   ~~~\n\n#yes",
    "- ```\n  - ```\n  #no\n  ```\n\n      #yes", "- `#no`\n- #yes",
  ])
  func `a block of code may begin in an item of a list`(text: String) {
    #expect(NoteMetadata(text).tags == ["yes"])
  }

  @Test(arguments: [
    "- ```\n  #no\n\n#yes", "- a\n  ```\n  #no\n\n- #yes",
    "- ```\n  #no\n- ```\n  #no\n  ```\n  #yes", "- a\n  - ```\n    #no\n  #yes",
    "- a\n\nb\n\n   ```\n#no\n   ```\n#yes",
  ])
  func `a block of code ends with the item that it is in`(text: String) {
    #expect(NoteMetadata(text).tags == ["yes"])
  }

  // MARK: - Zettlr

  @Test(arguments: [
    ("keywords: [a, b c]", ["a", "b c"]), ("keywords: machine learning", ["machine learning"]),
    ("keywords: a, b c", ["a", "b c"]), ("tags: [a]\nkeywords: [b]", ["a", "b"]),
  ])
  func `keywords are tags`(yaml: String, tags: [String]) {
    #expect(NoteMetadata("---\n\(yaml)\n---\n").tags == tags)
  }

  @Test func `an edit keeps keywords, and does not move them among the tags`() {
    let edit = FrontMatterEdit(tags: ["b", "c"])
    #expect(edit.applied(to: "---\nkeywords: [a, b]\n---\n") == "---\nkeywords: [b, c]\n---\n")
    #expect(edit.applied(to: "---\nkeywords: [a]\ntags: [b]\n---\n") == nil)
    let added = FrontMatterEdit(tags: ["solo", "kw", "new"])
    #expect(added.applied(to: "---\ntag: solo\nkeywords: [kw]\n---\n") == nil)
  }

  // MARK: - Org

  @Test func `title, tags and date of a note of Org mode are read`() throws {
    let note = NoteMetadata(
      """
      :PROPERTIES:
      :ID: 1234
      :END:
      #+title: The plan
      #+FILETAGS: :garden:spring:
      #+date: <2024-01-05 Fri 10:30>

      * Roses  :roses:garden:
      ** A ratio 1:2:
      *bold* :no:
      text #not :atag:
      """,
      in: .org
    )

    #expect(note.title == "The plan")
    #expect(note.tags == ["garden", "spring", "roses"])
    #expect(note.createdAt == WrittenDate.date("2024-01-05 10:30"))
    #expect(note.unread.isEmpty && note.frontMatterFlaw == nil)
  }

  @Test(arguments: [
    ("#+begin_src org\n#+title: x\n#+filetags: :a:\n#+end_src\n#+title: The plan\n", "The plan"),
    ("  #+BEGIN_EXAMPLE\n#+title: x\n#+end_src\n  #+END_EXAMPLE\n", nil),
    ("#+begin_src\n#+title: open\n* a\n#+end_src\n", "open"), ("#+begin_src\n#+title: x", "x"),
  ])
  func `what stands in a block of Org mode is no title`(text: String, title: String?) {
    let note = NoteMetadata(text, in: .org)
    #expect(note.title == title)
    #expect(note.tags.isEmpty)
  }

  @Test func `tags and a date as Hugo and Org-roam write them are read`() {
    let note = NoteMetadata("#+tags[]: one two\n#+created: [2024-01-05 Fri 10:30]\n", in: .org)
    #expect(note.tags == ["one", "two"])
    #expect(note.createdAt == WrittenDate.date("2024-01-05 10:30"))
    // These are the tags that a file may use.
    #expect(NoteMetadata("#+tags: one two\n", in: .org).tags.isEmpty)
  }

  @Test func `a second title goes on with the first, and keywords and a last change are read`() {
    let text = "#+title: A long\n#+TITLE: title\n#+LAST_MODIFIED: [2024-01-05 Fri 10:30]\n"
    let note = NoteMetadata(text + "#+KEYWORDS: one, two words\n", in: .org)

    #expect(note.title == "A long title" && note.tags == ["one", "two words"])
    #expect(note.modifiedAt == WrittenDate.date("2024-01-05 10:30") && note.createdAt == nil)
    #expect(NoteMetadata("#+keywords: one two\n", in: .org).tags == ["one", "two"])
    #expect(NoteMetadata("#+last_modified: soon\n", in: .org).unread.count == 1)
  }

  @Test(arguments: [
    ":PROPERTIES:\n:ROAM_TAGS: a \"two words\" b\n:END:\n", "#+roam_tags: a \"two words\" b\n",
  ])
  func `the tags of the first Org-roam are read`(text: String) {
    #expect(NoteMetadata(text, in: .org).tags == ["a", "two words", "b"])
  }

  @Test func `the property CREATED before the first headline dates a note of Org mode`() {
    let date = WrittenDate.date("2024-01-05 10:30")
    let drawer = ":PROPERTIES:\n:CREATED: [2024-01-05 Fri 10:30]\n:END:\n"

    #expect(NoteMetadata(drawer + "#+title: x\n* a\n", in: .org).createdAt == date)
    #expect(NoteMetadata("* a\n" + drawer, in: .org).createdAt == nil)
    #expect(NoteMetadata(":created: soon\n", in: .org).unread.count == 1)
  }

  @Test(arguments: [
    ("#+date: [2024-03-01 ven.]", true), ("#+DATE: 2024-03-01", true), ("#+date: soon", false),
    ("#+date:", nil),
  ])
  func `a date of Org mode is read or named`(line: String, isRead: Bool?) {
    let note = NoteMetadata(line, in: .org)
    #expect((note.createdAt != nil) == (isRead ?? false))
    #expect(note.unread.count == (isRead == false ? 1 : 0))
  }
}
