#include "include/xml_reading.h"

#include <pthread.h>
#include <stdlib.h>

#include "xml_library.h"

static struct xml_library library;
static int load_status = -1;

static void load(void) { load_status = xml_library_load(&library); }

int snippet_xml_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return load_status == 0;
}

static const int options =
    xml_library_no_errors | xml_library_no_warnings | xml_library_no_network;

// A recording within a note is one text of many megabytes, which only the largest limit allows. It also
// lifts the limit on entities, so it is for documents that declare none.
static int options_for(int declares_nothing) {
  return declares_nothing ? options | xml_library_huge : options;
}

struct document {
  struct _xmlTextReader *reader;
  // The whole of it, where it was read at once.
  struct _xmlDoc *tree;
};

static void *open_document(struct _xmlTextReader *reader, struct _xmlDoc *tree) {
  struct document *document = reader ? malloc(sizeof *document) : NULL;
  if (document) {
    *document = (struct document){.reader = reader, .tree = tree};
    return document;
  }
  if (reader) library.xmlFreeTextReader(reader);
  if (tree) library.xmlFreeDoc(tree);
  return NULL;
}

void *snippet_xml_open(int descriptor, int declares_nothing) {
  if (!snippet_xml_is_available()) return NULL;
  int chosen = options_for(declares_nothing);
  return open_document(library.xmlReaderForFd(descriptor, NULL, NULL, chosen), NULL);
}

void *snippet_xml_open_bytes(const char *bytes, int byte_count, int declares_nothing) {
  if (!snippet_xml_is_available()) return NULL;
  int chosen = options_for(declares_nothing);
  return open_document(library.xmlReaderForMemory(bytes, byte_count, NULL, NULL, chosen), NULL);
}

void *snippet_html_open(const char *bytes, int byte_count) {
  if (!snippet_xml_is_available()) return NULL;
  int html_options = options | xml_library_recover;
  struct _xmlDoc *tree = library.htmlReadMemory(bytes, byte_count, NULL, "UTF-8", html_options);
  return tree ? open_document(library.xmlReaderWalker(tree), tree) : NULL;
}

int snippet_xml_next(void *opened, struct snippet_xml_part *part) {
  struct _xmlTextReader *reader = ((struct document *)opened)->reader;
  *part = (struct snippet_xml_part){.kind = snippet_xml_other};
  int status = library.xmlTextReaderRead(reader);
  if (status != 1) return status == 0 ? 0 : -1;
  switch (library.xmlTextReaderNodeType(reader)) {
    case xml_library_element:
      part->kind = snippet_xml_start;
      part->is_empty = library.xmlTextReaderIsEmptyElement(reader) == 1;
      break;
    case xml_library_end_of_element:
      part->kind = snippet_xml_end;
      break;
    case xml_library_entity:
      part->kind = snippet_xml_entity;
      break;
    case xml_library_text:
    case xml_library_cdata:
    case xml_library_significant_space:
      part->kind = snippet_xml_text;
      part->text = (const char *)library.xmlTextReaderConstValue(reader);
      if (!part->text) part->text = "";
      return 1;
    default:
      return 1;
  }
  part->name = (const char *)library.xmlTextReaderConstLocalName(reader);
  if (!part->name) part->name = "";
  return 1;
}

const char *snippet_xml_attribute(void *opened, const char *name) {
  struct _xmlTextReader *reader = ((struct document *)opened)->reader;
  if (library.xmlTextReaderMoveToAttribute(reader, (const unsigned char *)name) != 1) return NULL;
  const char *value = (const char *)library.xmlTextReaderConstValue(reader);
  library.xmlTextReaderMoveToElement(reader);
  return value;
}

int snippet_xml_line(void *opened) {
  return library.xmlTextReaderGetParserLineNumber(((struct document *)opened)->reader);
}

void snippet_xml_close(void *opened) {
  struct document *document = opened;
  library.xmlFreeTextReader(document->reader);
  if (document->tree) library.xmlFreeDoc(document->tree);
  free(document);
}
