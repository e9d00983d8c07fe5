#ifndef SNIPPET_TRANSFER_H
#define SNIPPET_TRANSFER_H

// What the objects of a repository are compressed with.
#include <zlib.h>

#include "archive_reading.h"
#include "transfer.h"
#include "xml_reading.h"

#endif
