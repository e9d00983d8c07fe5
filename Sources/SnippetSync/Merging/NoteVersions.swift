import Foundation
import SnippetStorage

/// The note of an image or recording: the texts that no known edit has replaced.
///
/// An edit replaces all texts that its device knew. So there are several only where devices have
/// edited the note apart, and no text is lost.
struct NoteVersions: Hashable, Sendable {
  /// The texts by the stamps of their edits; none is empty.
  var texts: [Stamp: String] = [:]
  /// The last edit of each device that is known.
  var known: KnownEdits = [:]

  /// The note to show: the texts in the order of their edits, each once.
  ///
  /// A text that would make the note too long for a store is left out.
  var shown: String {
    NoteJoining.joined(texts.sorted { $0.key < $1.key }.map(\.value)).note
  }

  /// The texts that the note to show has not, each once, with their stamps.
  ///
  /// The next edit of the note replaces them, unseen.
  var leftOut: [(stamp: Stamp, text: String)] {
    guard texts.count > 1 else { return [] }
    let sorted = texts.sorted { $0.key < $1.key }
    return NoteJoining.joined(sorted.map(\.value)).leftOut.compactMap { text in
      sorted.first { $0.value == text }.map { (stamp: $0.key, text: text) }
    }
  }

  /// Replaces all texts by another one; by none if that is empty.
  ///
  /// - Parameters:
  ///   - text: The note as it is now.
  ///   - edited: Milliseconds since 1970. The stamp is later than all known edits, however wrong a
  ///     clock is.
  ///   - device: The device that has edited the note.
  mutating func replace(by text: String, at edited: Int64, on device: DeviceID) {
    let stamp = Stamp(Stamp.moment(of: edited, replacing: known.values.max()), device)
    texts = text.isEmpty ? [:] : [stamp: text]
    known[device] = stamp.milliseconds
  }

  /// Adds what another device knows.
  mutating func merge(_ other: NoteVersions) {
    texts = texts.merged(knowing: known, with: other.texts, knowing: other.known, max)
    known.join(other.known)
  }

  /// Adds the texts of a twin's note that this one has not, each as an edit of this device.
  ///
  /// The stamps of the twin are those of another note: a device that has edited this one since would count
  /// as knowing them.
  mutating func fold(_ twin: NoteVersions, on device: DeviceID) {
    for (stamp, text) in twin.texts.sorted(by: { $0.key < $1.key })
    where !texts.values.contains(text) {
      let time = Stamp.moment(of: stamp.milliseconds, replacing: known.values.max())
      texts[Stamp(time, device)] = text
      known[device] = time
    }
  }

  /// Whether all texts were known where these were the last edits of each device.
  func isKnown(to known: KnownEdits) -> Bool {
    texts.keys.allSatisfy(known.knows)
  }
}
