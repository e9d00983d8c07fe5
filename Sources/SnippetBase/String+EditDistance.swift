extension String {
  /// Returns the number of letters to insert, delete, replace or swap with the next one to turn
  /// this word into another.
  ///
  /// Only the first 32 letters are compared.
  package func editDistance(to other: String) -> Int {
    let (a, b) = (Array(prefix(32)), Array(other.prefix(32)))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = Swift.min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
