#ifdef SNIPPET_GTK

#include "snippet_gtk.h"

// An item holds only the identifier of its row.

#define SNIPPET_TYPE_ITEM (snippet_item_get_type())
G_DECLARE_FINAL_TYPE(SnippetItem, snippet_item, SNIPPET, ITEM, GObject)

struct _SnippetItem {
  GObject parent;
  gint64 identifier;
  // The living items, by the identifiers of their rows; the table does not own them.
  GHashTable *living;
};

G_DEFINE_TYPE(SnippetItem, snippet_item, G_TYPE_OBJECT)

static void snippet_item_init(SnippetItem *self) { (void)self; }

static void snippet_item_finalize(GObject *object) {
  SnippetItem *self = SNIPPET_ITEM(object);
  if (self->living) {
    g_hash_table_remove(self->living, &self->identifier);
    g_hash_table_unref(self->living);
  }
  G_OBJECT_CLASS(snippet_item_parent_class)->finalize(object);
}

static void snippet_item_class_init(SnippetItemClass *class) {
  G_OBJECT_CLASS(class)->finalize = snippet_item_finalize;
}

int64_t snippet_item_identifier(void *item) {
  return SNIPPET_IS_ITEM(item) ? SNIPPET_ITEM(item)->identifier : 0;
}

// The list.

#define SNIPPET_TYPE_LIST (snippet_list_get_type())
G_DECLARE_FINAL_TYPE(SnippetList, snippet_list, SNIPPET, LIST, GObject)

struct _SnippetList {
  GObject parent;
  SnippetListRows rows;
  const void *context;
  GHashTable *living;
  GtkBitset *selection;
};

static GType snippet_list_item_type(GListModel *model) {
  (void)model;
  return SNIPPET_TYPE_ITEM;
}

static guint snippet_list_count(GListModel *model) {
  SnippetList *self = SNIPPET_LIST(model);
  return self->context ? self->rows.count(self->context) : 0;
}

static gpointer snippet_list_item(GListModel *model, guint position) {
  SnippetList *self = SNIPPET_LIST(model);
  if (position >= snippet_list_count(model)) return NULL;
  gint64 identifier = self->rows.identifier(self->context, position);
  SnippetItem *item = identifier ? g_hash_table_lookup(self->living, &identifier) : NULL;
  if (item) return g_object_ref(item);
  item = g_object_new(SNIPPET_TYPE_ITEM, NULL);
  item->identifier = identifier;
  if (identifier) {
    item->living = g_hash_table_ref(self->living);
    g_hash_table_insert(self->living, &item->identifier, item);
  }
  return item;
}

static void snippet_list_model_init(GListModelInterface *interface) {
  interface->get_item_type = snippet_list_item_type;
  interface->get_n_items = snippet_list_count;
  interface->get_item = snippet_list_item;
}

static gboolean snippet_list_is_selected(GtkSelectionModel *model, guint position) {
  return gtk_bitset_contains(SNIPPET_LIST(model)->selection, position);
}

static GtkBitset *snippet_list_selection_in_range(
  GtkSelectionModel *model,
  guint position,
  guint count
) {
  (void)position, (void)count;
  // A copy, since GTK may keep it while the selection changes.
  return gtk_bitset_copy(SNIPPET_LIST(model)->selection);
}

// All other ways to select call this one.
static gboolean snippet_list_set_selection(
  GtkSelectionModel *model,
  GtkBitset *selected,
  GtkBitset *mask
) {
  SnippetList *self = SNIPPET_LIST(model);
  GtkBitset *changed = gtk_bitset_copy(selected);
  gtk_bitset_difference(changed, self->selection);
  gtk_bitset_intersect(changed, mask);
  gtk_bitset_remove_range_closed(changed, snippet_list_count(G_LIST_MODEL(model)), G_MAXUINT);
  if (!gtk_bitset_is_empty(changed)) {
    guint first = gtk_bitset_get_minimum(changed);
    guint last = gtk_bitset_get_maximum(changed);
    gtk_bitset_difference(self->selection, changed);
    gtk_selection_model_selection_changed(model, first, last - first + 1);
    if (self->context) self->rows.selection_changed(self->context);
  }
  gtk_bitset_unref(changed);
  return TRUE;
}

static void snippet_list_selection_model_init(GtkSelectionModelInterface *interface) {
  interface->is_selected = snippet_list_is_selected;
  interface->get_selection_in_range = snippet_list_selection_in_range;
  interface->set_selection = snippet_list_set_selection;
}

G_DEFINE_TYPE_WITH_CODE(
  SnippetList,
  snippet_list,
  G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, snippet_list_model_init)
    G_IMPLEMENT_INTERFACE(GTK_TYPE_SELECTION_MODEL, snippet_list_selection_model_init)
)

static void snippet_list_init(SnippetList *self) {
  self->living = g_hash_table_new(g_int64_hash, g_int64_equal);
  self->selection = gtk_bitset_new_empty();
}

static void snippet_list_finalize(GObject *object) {
  SnippetList *self = SNIPPET_LIST(object);
  g_hash_table_unref(self->living);
  gtk_bitset_unref(self->selection);
  G_OBJECT_CLASS(snippet_list_parent_class)->finalize(object);
}

static void snippet_list_class_init(SnippetListClass *class) {
  G_OBJECT_CLASS(class)->finalize = snippet_list_finalize;
}

GListModel *snippet_list_new(const SnippetListRows *rows) {
  SnippetList *self = g_object_new(SNIPPET_TYPE_LIST, NULL);
  self->rows = *rows;
  return G_LIST_MODEL(self);
}

void snippet_list_attach(GListModel *list, const void *context) {
  guint count = snippet_list_count(list);
  SNIPPET_LIST(list)->context = context;
  // A view that outlives the rows must not keep items that it can no longer ask for.
  if (!context && count) g_list_model_items_changed(list, 0, count, 0);
}

GtkBitset *snippet_list_selection(GListModel *list) { return SNIPPET_LIST(list)->selection; }

unsigned snippet_list_item_count(GListModel *list) {
  return g_hash_table_size(SNIPPET_LIST(list)->living);
}

#endif
