#ifndef SNIPPET_XML_LIBRARY_H
#define SNIPPET_XML_LIBRARY_H

// The calls of libxml2.
//
// It is loaded when the first export of Evernote is imported. Including its headers would need them
// to build, so the calls are declared here, and a target of the tests compares the declarations with
// the headers.

struct _xmlTextReader;
struct _xmlDoc;

enum {
  // Options for reading.
  xml_library_recover = 1 << 0,
  xml_library_no_errors = 1 << 5,
  xml_library_no_warnings = 1 << 6,
  xml_library_no_network = 1 << 11,
  xml_library_huge = 1 << 19,

  // Types of what is read.
  xml_library_element = 1,
  xml_library_text = 3,
  xml_library_cdata = 4,
  xml_library_entity = 5,
  xml_library_significant_space = 14,
  xml_library_end_of_element = 15
};

// The type of the result, the name, the types of the arguments.
#define XML_LIBRARY_CALLS(call)                                                                 \
  call(struct _xmlTextReader *, xmlReaderForFd, (int, const char *, const char *, int))         \
  call(struct _xmlTextReader *, xmlReaderForMemory,                                             \
       (const char *, int, const char *, const char *, int))                                    \
  call(struct _xmlDoc *, htmlReadMemory,                                                        \
       (const char *, int, const char *, const char *, int))                                    \
  call(struct _xmlTextReader *, xmlReaderWalker, (struct _xmlDoc *))                            \
  call(void, xmlFreeDoc, (struct _xmlDoc *))                                                    \
  call(int, xmlTextReaderRead, (struct _xmlTextReader *))                                       \
  call(int, xmlTextReaderNodeType, (struct _xmlTextReader *))                                   \
  call(int, xmlTextReaderIsEmptyElement, (struct _xmlTextReader *))                             \
  call(const unsigned char *, xmlTextReaderConstLocalName, (struct _xmlTextReader *))           \
  call(const unsigned char *, xmlTextReaderConstValue, (struct _xmlTextReader *))               \
  call(int, xmlTextReaderMoveToAttribute, (struct _xmlTextReader *, const unsigned char *))     \
  call(int, xmlTextReaderMoveToElement, (struct _xmlTextReader *))                              \
  call(int, xmlTextReaderGetParserLineNumber, (struct _xmlTextReader *))                        \
  call(void, xmlFreeTextReader, (struct _xmlTextReader *))

struct xml_library {
#define XML_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  XML_LIBRARY_CALLS(XML_LIBRARY_MEMBER)
#undef XML_LIBRARY_MEMBER
};

// Loads the library and finds its calls. 0 when all are there.
int xml_library_load(struct xml_library *library);

#endif
