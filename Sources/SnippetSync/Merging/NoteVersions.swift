import Foundation
import SnippetStorage

/// The note of an image or recording: the texts that no known edit has replaced.
///
/// An edit replaces all texts that its device knew. So there are several only where devices have
/// edited the note apart, and no text is lost. This is a dotted version vector set: merging depends
/// on no order, and to merge one again changes nothing.
struct NoteVersions: Hashable, Sendable {
  /// The texts by the stamps of their edits; none is empty.
  var texts: [Stamp: String] = [:]
  /// The last edit of each device that is known, in milliseconds since 1970, whether or not its
  /// text was replaced since.
  var known: [DeviceID: Int64] = [:]

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
    texts = texts.filter { other.texts[$0.key] != nil || !other.knows($0.key) }
    for (stamp, text) in other.texts {
      if let own = texts[stamp] {
        // Only a device that forgot its identity can give one stamp twice.
        texts[stamp] = max(own, text)
      } else if !knows(stamp) {
        texts[stamp] = text
      }
    }
    known.merge(other.known, uniquingKeysWith: max)
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

  private func knows(_ stamp: Stamp) -> Bool { Self.isKnown(stamp, to: known) }

  /// Whether all texts were known where these were the last edits of each device.
  func isKnown(to known: [DeviceID: Int64]) -> Bool {
    texts.keys.allSatisfy { Self.isKnown($0, to: known) }
  }

  private static func isKnown(_ stamp: Stamp, to known: [DeviceID: Int64]) -> Bool {
    known[stamp.device].map { $0 >= stamp.milliseconds } ?? false
  }
}
