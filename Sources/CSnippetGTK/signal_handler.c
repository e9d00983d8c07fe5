#ifdef SNIPPET_GTK

#include "snippet_gtk.h"

// A closure with a marshaller of its own takes any signal, whatever its arguments; typed functions
// would be needed for each kind of signal.

typedef struct {
  GClosure closure;
  SnippetHandler handler;
  const void *context;
  void (*release)(const void *context);
} SnippetClosure;

static void snippet_closure_marshal(
  GClosure *closure,
  GValue *result,
  guint count,
  const GValue *arguments,
  gpointer hint,
  gpointer data
) {
  (void)hint, (void)data;
  SnippetClosure *self = (SnippetClosure *)closure;
  self->handler(self->context, result, arguments, count);
}

static void snippet_closure_finalize(gpointer data, GClosure *closure) {
  (void)data;
  SnippetClosure *self = (SnippetClosure *)closure;
  self->release(self->context);
}

unsigned long snippet_connect(
  void *object,
  const char *signal,
  gboolean is_after,
  SnippetHandler handler,
  const void *context,
  void (*release)(const void *context)
) {
  GClosure *closure = g_closure_new_simple(sizeof(SnippetClosure), NULL);
  SnippetClosure *self = (SnippetClosure *)closure;
  self->handler = handler;
  self->context = context;
  self->release = release;
  g_closure_set_marshal(closure, snippet_closure_marshal);
  g_closure_add_finalize_notifier(closure, NULL, snippet_closure_finalize);
  return g_signal_connect_closure(object, signal, closure, is_after);
}

#endif
