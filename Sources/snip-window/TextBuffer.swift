#if GTK
import CGTK
import SnippetGTK

extension UnsafeMutablePointer<GtkTextBuffer> {
  /// The whole text.
  var text: String {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(self, &start, &end)
    return String(taking: gtk_text_buffer_get_text(self, &start, &end, 1))
  }

  /// Replaces the part of the text that differs, so that the cursor, the selection and the lines on
  /// screen stay where they are; the user cannot undo it.
  ///
  /// - Complexity: O(*n*) for *n* bytes of both texts.
  func replaceText(with new: String) {
    let old = text
    let start = zip(old.unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (
      old.unicodeScalars.dropFirst(start), new.unicodeScalars.dropFirst(start)
    )
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let marks = [gtk_text_buffer_get_insert(self), gtk_text_buffer_get_selection_bound(self)]
    // A mark would move behind a text that is inserted at its place.
    let staying = marks.filter { offset(of: $0) == start }
    gtk_text_buffer_begin_irreversible_action(self)
    var (from, to) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_iter_at_offset(self, &from, Int32(start))
    gtk_text_buffer_get_iter_at_offset(self, &to, Int32(start + oldRest.count - end))
    gtk_text_buffer_delete(self, &from, &to)
    let inserted = String(newRest.dropLast(end))
    gtk_text_buffer_insert(self, &from, inserted, Int32(clamping: inserted.utf8.count))
    gtk_text_buffer_get_iter_at_offset(self, &from, Int32(start))
    for mark in staying { gtk_text_buffer_move_mark(self, mark, &from) }
    gtk_text_buffer_end_irreversible_action(self)
  }

  /// The number of code points before a mark.
  private func offset(of mark: UnsafeMutablePointer<GtkTextMark>?) -> Int {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(self, &place, mark)
    return Int(gtk_text_iter_get_offset(&place))
  }
}
#endif
