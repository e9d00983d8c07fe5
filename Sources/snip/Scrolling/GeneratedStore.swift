import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

/// A temporary store of any number of snippets, for scrolling.
///
/// Half are short texts, the others pictures and recordings.
final class GeneratedStore {
  let store: SnippetStore
  private let folder: URL

  /// Makes the store in a temporary folder.
  ///
  /// - Parameters:
  ///   - rowCount: The number of snippets to make.
  ///   - blobByteCount: The total size of the pictures and recordings, all different; `nil` for
  ///     small ones that repeat after some thousands of rows, so that a long list needs little
  ///     room.
  ///   - context: The surroundings of the command.
  /// - Returns: The store; its files are deleted with it.
  /// - Throws: ``SnippetStoreError``
  static func make(
    rowCount: Int,
    blobByteCount: Int?,
    in context: CommandContext
  ) async throws -> GeneratedStore {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snip-scroll-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      let file = folder.appendingPathComponent("rows.sqlite")
      let drafts = GeneratedDrafts(count: rowCount, blobByteCount: blobByteCount)
      try await fill(file, with: drafts, in: context)
      return GeneratedStore(store: try await SnippetStore.open(at: file), folder: folder)
    } catch {
      remove(folder)
      throw error
    }
  }

  /// Saves snippets without waiting for the disk; other connections then read the file.
  private static func fill(
    _ file: URL,
    with drafts: GeneratedDrafts,
    in context: CommandContext
  ) async throws {
    var configuration = SnippetStore.Configuration()
    configuration.isDisposable = true
    let store = try await SnippetStore.open(at: file, configuration: configuration)
    let bar = ProgressBar(title: "Making rows", on: context.console.messages)
    defer { bar.finish() }
    _ = try await context.cancellable {
      try await store.save(contentsOf: drafts) { event in
        if case .saved(let index, _, _) = event {
          bar.update(WorkProgress(completedCount: index + 1, totalCount: drafts.count))
        }
      }
    }
    try await store.close()
  }

  private init(store: SnippetStore, folder: URL) {
    self.store = store
    self.folder = folder
  }

  deinit {
    try? store.blockingClose()
    Self.remove(folder)
  }

  private static func remove(_ folder: URL) {
    // It is temporary; the system later deletes what cannot be deleted now.
    try? FileManager.default.removeItem(at: folder)
  }
}

/// The drafts of a generated store, the newest last.
private struct GeneratedDrafts: Sequence, IteratorProtocol, Sendable {
  let count: Int
  /// The size of each picture and recording, if all are to differ.
  private let blobByteCount: Int?
  private let start = Date()
  private let bytes = GeneratedBytes()
  private var number = 0

  init(count: Int, blobByteCount: Int?) {
    self.count = count
    self.blobByteCount = blobByteCount.map { $0 / Swift.max(1, count / 2) }
  }

  mutating func next() -> SnippetDraft? {
    guard number < count else { return nil }
    defer { number += 1 }
    let createdAt = start.addingTimeInterval(Double(number - count))
    let title = "Row \(number)"
    if number % 2 == 0 {
      let text = "The text of row \(number), as short as most notes are."
      return SnippetDraft(.text(text), title: title, createdAt: createdAt)
    }
    let isVoice = number % 20 == 19
    var data = isVoice ? bytes.recording(number / 20 % 1500) : bytes.picture(number / 2 % 4000)
    if let blobByteCount {
      // After the end, where no decoder looks.
      data.append(Data(count: Swift.max(0, blobByteCount - data.count - 8)))
      data.append(withUnsafeBytes(of: number.littleEndian) { Data($0) })
    }
    return SnippetDraft(
      .bytes(data),
      kind: isVoice ? .voice : .image,
      title: title,
      createdAt: createdAt
    )
  }
}

/// Pictures and recordings that differ from each other.
private struct GeneratedBytes: Sendable {
  private let pictures = DemoLibrary.pictures.map { Data($0.bytes) }
  /// One tone, from which recordings of many lengths are cut: 8 bits, 16,000 samples a second.
  private let tone = Data((0..<110_000).map { UInt8(128 + 100 * sin(Double($0) * 0.17)) })

  /// A picture of the sample library, with its number after the end, where no decoder looks.
  func picture(_ number: Int) -> Data {
    pictures[number % pictures.count] + Self.bytes(UInt32(number))
  }

  /// A WAV file of 10 to 110 KB, whose first samples are its number.
  func recording(_ number: Int) -> Data {
    let samples = tone.prefix(10_000 + number * 7919 % 100_000)
    var data = Data("RIFF".utf8)
    data += Self.bytes(UInt32(36 + 4 + samples.count))
    data += Data("WAVEfmt ".utf8)
    for field: UInt32 in [16, 1 | 1 << 16, 16_000, 16_000, 1 | 8 << 16] {
      data += Self.bytes(field)
    }
    data += Data("data".utf8)
    data += Self.bytes(UInt32(4 + samples.count))
    data += Self.bytes(UInt32(number))
    data += samples
    return data
  }

  private static func bytes(_ value: UInt32) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }
}
