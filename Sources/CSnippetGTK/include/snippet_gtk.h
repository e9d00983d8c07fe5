// What a list in GTK takes that Swift cannot write: types of GObject, and macros that look into
// them.

#ifndef SNIPPET_GTK_H
#define SNIPPET_GTK_H

// Swift imports this without what the target is compiled with; the trait is where GTK is found.
#if __has_include(<gtk/gtk.h>)

#include <gtk/gtk.h>

#pragma clang assume_nonnull begin

// A list model asks for its rows by position, and for what it knows them by.
typedef struct {
  unsigned (*count)(const void *context);
  // 0 where no row can be told: the item is then nobody's.
  int64_t (*identifier)(const void *context, unsigned position);
  void (*selection_changed)(const void *context);
} SnippetListRows;

// Makes a GListModel that is a GtkSelectionModel too.
//
// Its items are made when GTK asks for them, and the same one for the same row as long as GTK holds
// it: so GTK knows a row again that it is told of once more.
GListModel *snippet_list_new(const SnippetListRows *rows);

// Says whom to ask; nobody once the rows are gone.
void snippet_list_attach(GListModel *list, const void *_Nullable context);

// The positions that are selected; of the list.
GtkBitset *snippet_list_selection(GListModel *list);

// How many items live, which are those that somebody holds.
unsigned snippet_list_item_count(GListModel *list);

// What a row is known by; 0 for the item of none.
int64_t snippet_item_identifier(void *item);

// Calls a function on each signal of an object, with the signal's arguments and, where it returns
// something, where that goes; the first argument is the object. The context is released with the
// object.
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

// What the main queue of libdispatch, on which Swift's main actor runs, tells that it has work by;
// and what does that work.
int snippet_main_queue_descriptor(void);
void snippet_main_queue_drain(void);

#pragma clang assume_nonnull end

#endif
#endif
