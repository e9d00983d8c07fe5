// The parts of a list in GTK that Swift cannot express: types of GObject, and macros that access
// them.

#ifndef SNIPPET_GTK_H
#define SNIPPET_GTK_H

// Swift imports this without the flags of the target; the trait is where GTK is found.
#if __has_include(<gtk/gtk.h>)

#include <gtk/gtk.h>

#pragma clang assume_nonnull begin

// A list model asks for its rows by position, and for their identifiers.
typedef struct {
  unsigned (*count)(const void *context);
  // 0 where the row is unknown; the item then belongs to no row.
  int64_t (*identifier)(const void *context, unsigned position);
  void (*selection_changed)(const void *context);
} SnippetListRows;

// Makes a GListModel that is a GtkSelectionModel too.
//
// It makes items when GTK asks for them, and the same one for the same row as long as GTK holds it.
// So GTK recognizes a row that is removed and inserted again.
GListModel *snippet_list_new(const SnippetListRows *rows);

// Sets the context to ask; NULL once the rows are gone.
void snippet_list_attach(GListModel *list, const void *_Nullable context);

// The selected positions, which belong to the list.
GtkBitset *snippet_list_selection(GListModel *list);

// The number of living items, which are those that something holds.
unsigned snippet_list_item_count(GListModel *list);

// The identifier of a row; 0 for an item without one.
int64_t snippet_item_identifier(void *item);

// Calls a function on each signal of an object, with the signal's arguments and, if it returns
// something, the place for the result. The first argument is the object. The context is released
// with the object.
typedef void (*SnippetHandler)(
  const void *context,
  GValue *_Nullable result,
  const GValue *arguments,
  unsigned count
);
unsigned long snippet_connect(
  void *object,
  const char *signal,
  gboolean is_after,
  SnippetHandler handler,
  const void *context,
  void (*release)(const void *context)
);

// The descriptor by which the main queue of libdispatch, on which Swift's main actor runs,
// announces work; and the function that does that work.
int snippet_main_queue_descriptor(void);
void snippet_main_queue_drain(void);

#pragma clang assume_nonnull end

#endif
#endif
