// A list of pictures in GTK as it is written without a library: the rows in an array, the
// thumbnails in files that are read as rows are bound. What snip-window is measured against.
//
// PlainList FOLDER: FOLDER/rows has a line for each row, title and facts with a tab between them,
// and FOLDER/N.jpg is the thumbnail of row N.

#ifdef BENCHMARK_GTK

#include <gtk/gtk.h>
#include <string.h>

static const char *folder;

static void set_up(GtkListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_add_css_class(row, "plain-row");
  GtkWidget *picture = gtk_picture_new();
  gtk_widget_set_size_request(picture, 96, 64);
  gtk_box_append(GTK_BOX(row), picture);
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  for (int line = 0; line < 2; line++) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_box_append(GTK_BOX(words), label);
  }
  gtk_box_append(GTK_BOX(row), words);
  gtk_list_item_set_child(item, row);
}

static void bind(GtkListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  GtkWidget *picture = gtk_widget_get_first_child(gtk_list_item_get_child(item));
  GtkWidget *title = gtk_widget_get_first_child(gtk_widget_get_next_sibling(picture));
  const char *line = gtk_string_object_get_string(gtk_list_item_get_item(item));
  g_auto(GStrv) parts = g_strsplit(line, "\t", 2);
  gtk_label_set_text(GTK_LABEL(title), parts[0]);
  gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(title)), parts[1]);
  g_autofree char *path = g_strdup_printf("%s/%u.jpg", folder, gtk_list_item_get_position(item));
  g_autoptr(GdkTexture) texture = gdk_texture_new_from_filename(path, NULL);
  gtk_picture_set_paintable(GTK_PICTURE(picture), GDK_PAINTABLE(texture));
}

static void activate(GtkApplication *application, gpointer data) {
  (void)data;
  g_autofree char *path = g_build_filename(folder, "rows", NULL);
  g_autofree char *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, NULL)) g_error("no rows in %s", folder);
  g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
  GtkStringList *rows = gtk_string_list_new((const char *const *)lines);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  GtkSelectionModel *model = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(rows)));
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), gtk_list_view_new(model, factory));
  GtkWidget *window = gtk_application_window_new(application);
  gtk_window_set_default_size(GTK_WINDOW(window), 900, 720);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  folder = arguments[1];
  g_autoptr(GtkApplication) application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), 0, NULL);
}

#else

int main(void) { return 69; }

#endif
