/// A raw picture in the structure of TIFF, made by hand: directories, then JPEGs, then pixels.
package struct RawPictureFile {
  package var maker = "NIKON CORPORATION"
  package var orientation: UInt16 = 1
  /// The size of what the sensor saw.
  package var size: (width: UInt32, height: UInt32) = (4288, 2844)
  package var isDNG = false
  /// The JPEGs, each in a directory of its own.
  package var previews: [[UInt8]] = []

  package init() {}

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let make = ascii(maker) + [0]
    var first: [(UInt16, UInt16, UInt32, UInt32)] = [
      (254, 4, 1, 1), (256, 4, 1, 160), (257, 4, 1, 120), (271, 2, UInt32(make.count), 0),
      (274, 3, 1, UInt32(orientation)), (330, 4, UInt32(previews.count + 1), 0),
    ]
    if isDNG { first.append((0xC612, 1, 4, 0x0000_0401)) }
    let makeAt = 8 + UInt32(2 + first.count * 12 + 4)
    let listAt = makeAt + UInt32(make.count)
    let belowAt = listAt + UInt32(4 * (previews.count + 1))
    let previewSize = UInt32(2 + 4 * 12 + 4)
    let rawSize = UInt32(2 + 5 * 12 + 4)
    first[3].3 = makeAt
    let places = (0...previews.count).map { belowAt + UInt32($0) * previewSize }
    // A list of one stands in the entry itself.
    first[5].3 = previews.isEmpty ? places[0] : listAt
    var jpegAt = belowAt + UInt32(previews.count) * previewSize + rawSize
    var below: [UInt8] = []
    for preview in previews {
      below += directory([
        (254, 4, 1, 1), (259, 3, 1, 6), (513, 4, 1, jpegAt), (514, 4, 1, UInt32(preview.count)),
      ])
      jpegAt += UInt32(preview.count)
    }
    let coding: (UInt16, UInt16, UInt32, UInt32) = (259, 3, 1, isDNG ? 1 : 34_713)
    let colors: (UInt16, UInt16, UInt32, UInt32) = (262, 3, 1, 32_803)
    below += directory([
      (254, 4, 1, 0), (256, 4, 1, size.width), (257, 4, 1, size.height), coding, colors,
    ])
    return ascii("II*\0") + little(UInt32(8)) + directory(first) + make
      + places.flatMap { little($0) } + below + previews.flatMap(\.self) + zeros(3000)
  }

  private func directory(_ entries: [(UInt16, UInt16, UInt32, UInt32)]) -> [UInt8] {
    little(UInt16(entries.count))
      + entries.flatMap { little($0.0) + little($0.1) + little($0.2) + little($0.3) } + zeros(4)
  }
}
