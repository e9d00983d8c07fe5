/// A byte of a blob that differs from the saved one.
package enum FlippedByte {
  /// The SQL that changes one byte behind the back of a store, for a connection without triggers.
  package static func sql(at offset: Int, ofBlob blob: Int64) -> String {
    let (chunk, place) = offset.quotientAndRemainder(dividingBy: 262_144)
    return """
      UPDATE blob_chunk SET data = CAST(
        substr(data, 1, \(place))
        || CASE substr(data, \(place + 1), 1) WHEN x'00' THEN x'01' ELSE x'00' END
        || substr(data, \(place + 2)) AS BLOB)
      WHERE id = (\(blob) << 20) + \(chunk)
      """
  }
}
