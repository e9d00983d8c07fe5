extension IllegalEdit {
  static let derivatives = [
    IllegalEdit(
      sql: insertion(blob: 99, byteCount: 1),
      message: "the blob of a derivative must be there"
    ),
    IllegalEdit(
      sql: insertion(byteCount: 2),
      message: "CHECK constraint failed: derivative_byte_count_is_that_of_its_data"
    ),
    IllegalEdit(
      sql: insertion(recipe: "", byteCount: 1),
      message: "CHECK constraint failed: recipe_is_a_short_name"
    ),
    IllegalEdit(
      sql: "\(insertion(byteCount: 1)); \(insertion(byteCount: 1))",
      message: "there is such a derivative already: delete it first"
    ),
    IllegalEdit(
      sql: "\(insertion(byteCount: 1)); REPLACE \(insertion(byteCount: 1).dropFirst(7))",
      message: "there is such a derivative already: delete it first"
    ),
    IllegalEdit(
      sql: "\(insertion(byteCount: 1)); UPDATE derivative SET data = X'01'",
      message: "a derivative never changes: delete it and insert another one"
    ),
    IllegalEdit(
      sql: "UPDATE snippet SET deleted_at = 253402300800000",
      message: "CHECK constraint failed: deleted_at_is_in_years_1_to_9999"
    ),
    IllegalEdit(
      sql: "INSERT INTO derivative_total VALUES (2, 0)",
      message: "CHECK constraint failed: derivative_total_is_one_row"
    ),
  ]

  private static func insertion(
    blob: Int = 1,
    recipe: String = "small",
    byteCount: Int
  ) -> String {
    """
    INSERT INTO derivative (blob_id, recipe, version, byte_count, data) \
    VALUES (\(blob), '\(recipe)', 1, \(byteCount), X'00')
    """
  }
}
