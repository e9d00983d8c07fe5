#ifdef SNIPPET_GTK

#include "snippet_gtk.h"

// Exported by libdispatch for other run loops to serve its main queue; no header declares them.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int snippet_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void snippet_main_queue_drain(void) { _dispatch_main_queue_callback_4CF(NULL); }

#endif
