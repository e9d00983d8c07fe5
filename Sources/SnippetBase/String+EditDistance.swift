extension String {
  /// How many letters have to be put in, left out, replaced or swapped with the next one to make
  /// another word of this one; of longer words, in their first 32 letters.
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
