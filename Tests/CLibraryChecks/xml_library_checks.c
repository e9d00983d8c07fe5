#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if __has_include(<libxml/xmlreader.h>)

#include <libxml/HTMLparser.h>
#include <libxml/xmlreader.h>

#include "../../Sources/CTransfer/xml_library.h"

// What does not agree does not compile: a call with a wrong argument would be found when it
// crashes.
#define CHECK(type, name, arguments)                                                   \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the headers");
XML_LIBRARY_CALLS(CHECK)

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(xml_library_recover, XML_PARSE_RECOVER)
CHECK_VALUE(xml_library_recover, HTML_PARSE_RECOVER)
CHECK_VALUE(xml_library_no_errors, HTML_PARSE_NOERROR)
CHECK_VALUE(xml_library_no_warnings, HTML_PARSE_NOWARNING)
CHECK_VALUE(xml_library_no_network, HTML_PARSE_NONET)
CHECK_VALUE(xml_library_no_errors, XML_PARSE_NOERROR)
CHECK_VALUE(xml_library_no_warnings, XML_PARSE_NOWARNING)
CHECK_VALUE(xml_library_no_network, XML_PARSE_NONET)
CHECK_VALUE(xml_library_huge, XML_PARSE_HUGE)
CHECK_VALUE(xml_library_element, XML_READER_TYPE_ELEMENT)
CHECK_VALUE(xml_library_text, XML_READER_TYPE_TEXT)
CHECK_VALUE(xml_library_cdata, XML_READER_TYPE_CDATA)
CHECK_VALUE(xml_library_entity, XML_READER_TYPE_ENTITY_REFERENCE)
CHECK_VALUE(xml_library_significant_space, XML_READER_TYPE_SIGNIFICANT_WHITESPACE)
CHECK_VALUE(xml_library_end_of_element, XML_READER_TYPE_END_ELEMENT)

#define COUNT(type, name, arguments) +1
int snippet_xml_library_checked_call_count(void) { return 0 XML_LIBRARY_CALLS(COUNT); }

#else

int snippet_xml_library_checked_call_count(void) { return 0; }

#endif
