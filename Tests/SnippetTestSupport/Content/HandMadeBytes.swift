/// The bytes of a number, the highest first.
package func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// The bytes of a number, the lowest first.
package func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// The bytes of a text in UTF-8.
package func ascii(_ text: String) -> [UInt8] {
  Array(text.utf8)
}

/// Zeros.
package func zeros(_ count: Int) -> [UInt8] {
  [UInt8](repeating: 0, count: count)
}

/// A box of an ISO base media file.
package func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
  let content = content.flatMap { $0 }
  return big(UInt32(8 + content.count)) + ascii(type) + content
}

/// A chunk of a RIFF file.
package func riffChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
  ascii(name) + little(UInt32(content.count)) + content + zeros(content.count % 2)
}

/// A TIFF structure with one directory of numbers of two or four bytes.
package func tiff(_ entries: [(tag: UInt16, value: UInt32)], isBigEndian: Bool = false) -> [UInt8] {
  func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    isBigEndian ? big(number) : little(number)
  }
  var bytes = ascii(isBigEndian ? "MM" : "II") + number(UInt16(42)) + number(UInt32(8))
  bytes += number(UInt16(entries.count))
  for entry in entries {
    let isShort = entry.value <= UInt16.max
    bytes += number(entry.tag) + number(UInt16(isShort ? 3 : 4)) + number(UInt32(1))
    bytes += isShort ? number(UInt16(entry.value)) + zeros(2) : number(entry.value)
  }
  return bytes + zeros(4)
}

/// An EXIF block with nothing but the orientation of the image.
package func exif(orientation: UInt32) -> [UInt8] {
  tiff([(tag: 0x0112, value: orientation)], isBigEndian: true)
}
