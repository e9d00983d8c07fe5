/// A thing in the folders of an import that no snippet is made of.
struct LeftOut: Equatable, Sendable {
  /// The reasons for leaving something out.
  enum Reason: Equatable, Sendable {
    case link, brokenLink, linkOutside, linkToImported
    case hidden, pipe, socket, device
    /// A file of a store that is open.
    case ofStore
    /// A file that an export is writing, or was when it was killed.
    case unfinished
    case notInManifest
    case itemOfJoplin, unusedTag, unfittingTag, danglingTag, resourceWithoutFile, encryptedItem
    case damagedItem
    /// A member of an archive with a name.
    case memberOutside(String)
    /// A member of an archive whose name begins with a text, and is longer than any path.
    case memberNameTooLong(String)
    case memberWithoutContent, memberWithoutName, encryptedMember
    /// A member of an archive whose head is damaged, with the words of a library.
    case flawedMemberHead(String)
    /// A number of bytes behind the end of an archive.
    case bytesBehindArchive(Int64)
    /// A member of an archive that a later one with its name replaces.
    case replacedMember
    /// An archive in another one that holds other files too, or is in another one itself.
    case archiveInArchive
    /// A file of JSON of Google Photos.
    case sidecarWithoutPicture
    /// A file of JSON of Google Photos whose name was cut off within that of its picture.
    case sidecarOfSeveral
    /// A file of JSON of Google that is damaged, beside a picture with a name.
    case damagedSidecar(String)
    /// A note of Google Keep in JSON that is damaged.
    case damagedKeepNote
    /// A note of Google Keep in JSON that is damaged, with its page in HTML, by its name.
    case damagedNoteBesidePage(String)
    /// A file of XMP beside no picture.
    case xmpWithoutPicture
    /// A file of XMP that cannot be read, with a reason in words.
    case flawedXMP(String)
    /// A file of JSON about an album with a title.
    case album(String)
    /// A note of Google Keep without a file with a name.
    case attachmentMissing(String)
    /// A note of Evernote whose export lacks a file with a hash.
    case resourceMissing(String)
    /// A note of Evernote with a file whose bytes are damaged, by its name or its type.
    case resourceDamaged(String)
    case labelsOfNotes
    /// A version of a note that was edited before the one that its snippet has.
    case olderState
    /// A number of pages in HTML beside notes of Google Keep.
    case pagesOfNotes(Int)
    /// A page in HTML of a note of Google Keep.
    case pageWithoutNote
    case bundleWithoutText
    /// A note of Evernote, or a part of one.
    case encryptedNote, encryptedPart, damagedNote
    /// An export of Evernote in an imported folder.
    case exportInFolder
    /// A folder of a graph of Logseq, with a number of files.
    case formerPages(Int)
    /// A file that describes others, and that a text was made of, which may be in the trash now.
    case describesOther(isTrashed: Bool)
    /// A picture beside a file that described another one before, with a path, which had its name.
    case describedFormer(String)
    /// A picture that a file beside it described at the last import, and that none does any more.
    case describedNoMore
    /// A number of notebooks of Joplin around notes, where folders do not become tags.
    case notebooks(Int)
    /// Names of values with their numbers, in words.
    case valuesWithoutPlace(String)
  }

  let path: String
  let reason: Reason

  init(_ path: String, _ reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }
}

extension LeftOut.Reason {
  /// The reason in words.
  var description: String {
    switch self {
    case .link: "it is a link"
    case .brokenLink: "it is a link that leads nowhere"
    case .linkOutside: "it is a link that leads out of the imported folder"
    case .linkToImported: "it is a link to what is imported anyway"
    case .hidden: "it is hidden"
    case .pipe: "it is a pipe"
    case .socket: "it is a socket"
    case .device: "it is a device"
    case .ofStore: "it belongs to the store"
    case .unfinished: "an export has not finished it"
    case .notInManifest: "the manifest of the export around it does not name it"
    case .itemOfJoplin: "it is an item of Joplin that is neither a note nor a resource"
    case .unusedTag: "it is a tag of Joplin that no note has"
    case .unfittingTag: "a tag of Joplin has more than 100 characters or a comma"
    case .resourceWithoutFile: "its file is not in the folder resources beside it"
    case .encryptedItem: "it is encrypted"
    case .damagedItem: "it is an item of Joplin whose end is missing, which tells its kind"
    case .danglingTag: "it assigns a tag of Joplin where the tag or the note is missing"
    case .memberOutside(let name):
      "its member \(name) has a path that leads out of it, or through more than "
        + "\(MemberPath.maximumDepth) folders"
    case .memberNameTooLong(let beginning):
      "its member \(beginning)… has a longer name than any file can have"
    case .memberWithoutContent: "it is a link or a device in an archive"
    case .memberWithoutName: "one of its members has no name"
    case .flawedMemberHead(let words):
      "what the archive tells about it is damaged, so its name, date or content may be another: "
        + words
    case .bytesBehindArchive(let count): "\(count) bytes behind its end belong to no member"
    case .encryptedMember: "it is encrypted"
    case .replacedMember: "another member of the archive has its name, and the last one counts"
    case .archiveInArchive:
      "it is an archive in another one: unpack the outer one, and import this one by its own path"
    case .sidecarWithoutPicture: "the picture that it describes is not in its folder"
    case .sidecarOfSeveral:
      "its name is cut off, and nothing tells which picture that begins with it is the one"
    case .damagedSidecar(let name):
      "its JSON is damaged, so it stays a text, and \(name) beside it has nothing of it"
    case .damagedKeepNote:
      "its JSON is damaged, so the note of Google Keep in it stays a text as it is"
    case .damagedNoteBesidePage(let page):
      "its JSON is damaged, so \(page) beside it stands for the note, as a text in HTML"
    case .xmpWithoutPicture: "it describes no picture here"
    case .flawedXMP(let reason): "\(reason), so the picture beside it has nothing of it"
    case .album(let title):
      "it describes the album “\(title)”; its pictures have that in the name of their folder"
    case .attachmentMissing(let name): "its attachment \(name) is not beside it"
    case .resourceMissing(let hash): "its attachment \(hash) is not in the export"
    case .resourceDamaged(let name):
      "its attachment \(name) is damaged: its bytes are not valid Base64"
    case .labelsOfNotes: "it lists the labels of the notes beside it, which have them"
    case .olderState:
      "it is an older version of a note or a file whose later one was imported before"
    case .pagesOfNotes(let count):
      count == 1
        ? "one page in HTML in it repeats the note beside it"
        : "\(count) pages in HTML in it repeat the notes beside them"
    case .pageWithoutNote:
      "it is a note of Google Keep without the JSON beside it, and stays a text in HTML"
    case .encryptedNote: "the note is encrypted"
    case .encryptedPart: "a part of the note is encrypted; it stands as [encrypted] in the text"
    case .damagedNote: "the note is damaged in the export; what can be told of it is in the text"
    case .exportInFolder: "it is an export of Evernote, which is read if it is given itself"
    case .formerPages(let count):
      count == 1
        ? "Logseq keeps a former version of a page in it"
        : "Logseq keeps \(count) former versions of pages in it"
    case .describesOther(let isTrashed):
      "it describes another file, or is a note of Google Keep, so the text that was made of it "
        + (isTrashed ? "goes to the trash" : "stays without a file")
    case .describedFormer(let path):
      "the file beside it described \(path) before, which had this name and keeps what that tells; "
        + "by its name it counts for this one now"
    case .describedNoMore:
      "the file beside it (JSON or XMP) that described it is not there any more; the snippet keeps "
        + "what that told"
    case .bundleWithoutText: "it is named like a TextBundle and holds none"
    case .notebooks(let count):
      count == 1
        ? "its notebook did not become a tag" : "its \(count) notebooks did not become tags"
    case .valuesWithoutPlace(let names):
      "a snippet has no place for these values of its files: \(names)"
    }
  }

  /// The advice.
  var advice: String {
    switch self {
    case .link: "Follow links, if they lead to what is in the same folder."
    case .brokenLink: "Remove it, or bring back the file."
    case .linkOutside: "Import the folder that it leads to."
    case .hidden: "Import hidden files too."
    case .notInManifest: "Move it to a folder of its own, and import that."
    case .resourceWithoutFile: "Put it there, named for the id of the resource, or export again."
    case .damagedItem: "Export again from Joplin, or copy the export again."
    case .encryptedItem: "Let Joplin decrypt everything, and export again."
    case .unfittingTag: "Rename the tag in Joplin, and export again."
    case .memberOutside, .memberNameTooLong, .memberWithoutContent, .memberWithoutName:
      "Unpack the archive yourself, and import what you need of it."
    case .flawedMemberHead: "Compare it with the original, or download or copy the archive again."
    case .bytesBehindArchive: "If members are missing, download or copy the archive again."
    case .replacedMember: "Rename one of them in the archive, and import it again."
    case .archiveInArchive: "Unpack the archive around it, and give the path of the archive itself."
    case .sidecarWithoutPicture, .attachmentMissing:
      "Import all parts of the export at once."
    case .sidecarOfSeveral: "Name it for its picture, as in IMG.jpg.json."
    case .describedFormer:
      "If that file belongs to the other one, name it for that, and correct the snippet of this one."
    case .describedNoMore: "Export the notes into the folder, to write it beside the picture."
    case .xmpWithoutPicture: "Put it beside its picture, and give both one name."
    case .flawedXMP: "Let the program that wrote it write it again."
    case .damagedSidecar, .damagedKeepNote, .damagedNoteBesidePage:
      "Export it from Google again, or copy the export again."
    case .pageWithoutNote: "Export the notes from Google again, and import the folder Keep whole."
    case .olderState: "Copy from the file what you want of it."
    case .resourceMissing, .resourceDamaged: "Export the note from Evernote again."
    case .notebooks: "To tag the notes with them, let folders become tags (--folder-tags)."
    case .album: "To tag the pictures with it, let folders become tags."
    case .encryptedNote, .encryptedPart: "Decrypt it in Evernote, and export again."
    case .damagedNote: "Compare it with the note in Evernote."
    case .exportInFolder: "Import it by its own path."
    case .formerPages: "To import them all the same, give the path of that folder."
    case .encryptedMember: "Unpack the archive with its password, and import the folder."
    case .linkToImported, .pipe, .socket, .device, .ofStore, .unfinished, .itemOfJoplin,
      .unusedTag, .danglingTag, .labelsOfNotes, .pagesOfNotes, .bundleWithoutText,
      .valuesWithoutPlace, .describesOther:
      ""
    }
  }
}
