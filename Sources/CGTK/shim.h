#include <glib-unix.h>
#include <gtk/gtk.h>
#include <libintl.h>
