#ifndef SNIPPET_XML_READING_H
#define SNIPPET_XML_READING_H

#include <stddef.h>

// The elements and texts of XML by libxml2, one after the other.
//
// Nothing is fetched, and no entity is replaced: a document can neither read other files nor grow.

/// Whether libxml2 can be loaded.
int snippet_xml_is_available(void);

enum snippet_xml_kind {
  snippet_xml_start,
  snippet_xml_end,
  snippet_xml_text,
  /// A reference to an entity that the document does not define, by its name.
  snippet_xml_entity,
  snippet_xml_other
};

/// A part of a document. Its texts are valid until the next one is read.
struct snippet_xml_part {
  enum snippet_xml_kind kind;
  /// The name of an element or an entity; NULL for a text.
  const char *name;
  /// The text; NULL for an element.
  const char *text;
  /// Whether an element ends where it starts, without an end of its own.
  int is_empty;
};

/// Begins to read an open file, which stays open afterwards; NULL without the library or memory.
///
/// Only a document that declares nothing may have texts of more than 10 MB.
void *snippet_xml_open(int descriptor, int declares_nothing);

/// Begins to read bytes, which stay as they are until the end; NULL without the library or memory.
void *snippet_xml_open_bytes(const char *bytes, int byte_count, int declares_nothing);

/// Begins to read HTML, with whatever mistakes; its entities are replaced, and names of elements are
/// in lower case.
void *snippet_html_open(const char *bytes, int byte_count);

/// Reads the next part; 1 if there is one, 0 at the end, -1 if the document is damaged there.
int snippet_xml_next(void *reader, struct snippet_xml_part *part);

/// Returns an attribute of the element that was read last; NULL if it has none of that name.
const char *snippet_xml_attribute(void *reader, const char *name);

/// Returns the number of the line.
int snippet_xml_line(void *reader);

/// Ends reading.
void snippet_xml_close(void *reader);

#endif
