-- Snippets, their texts and their blobs.
--
-- The library runs every file of this folder in its own transaction. In the shell:
--   cat Migrations/*.sql | sqlite3 -bail new.sqlite

-- Only an empty file takes these two; a page of 8 KiB suits rows and chunks alike, and free pages
-- can go back to the file system in small steps.
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;

-- The letters "Snip": how a file says whose it is.
PRAGMA application_id = 0x536E6970;

-- Expensive bytes, found by their hash, stored once, never changed.
CREATE TABLE blob (
  id INTEGER PRIMARY KEY AUTOINCREMENT -- never given twice: the same id always means the same bytes
    CONSTRAINT blob_id_leaves_room_for_chunks CHECK (id BETWEEN 1 AND 8796093022207),
  sha256 BLOB NOT NULL UNIQUE
    CONSTRAINT sha256_has_32_bytes CHECK (length(sha256) = 32),
  byte_count INTEGER NOT NULL
    CONSTRAINT blob_is_not_empty CHECK (byte_count > 0),
  chunk_size INTEGER NOT NULL
    CONSTRAINT chunk_size_is_from_1_byte_to_16_mebibytes CHECK (chunk_size BETWEEN 1 AND 16777216),
  CONSTRAINT blob_has_at_most_1048576_chunks CHECK (byte_count <= chunk_size * 1048576)
) STRICT;

-- The bytes of a blob in pieces of chunk_size, the last one shorter.
CREATE TABLE blob_chunk (
  id INTEGER PRIMARY KEY, -- blob.id * 1048576 + the number of the chunk, from 0
  data BLOB NOT NULL
) STRICT;

-- INSERT OR REPLACE deletes without telling the triggers of deletion, so a BEFORE INSERT trigger
-- refuses what would replace a row.
CREATE TRIGGER blob_before_insert BEFORE INSERT ON blob
WHEN EXISTS (SELECT 1 FROM blob WHERE id = NEW.id OR sha256 = NEW.sha256)
BEGIN
  SELECT RAISE(ABORT, 'there is such a blob already');
END;

CREATE TRIGGER blob_chunk_on_insert BEFORE INSERT ON blob_chunk
BEGIN
  SELECT RAISE(ABORT, 'a chunk must belong to a blob and have the size that the blob gives it')
  WHERE length(NEW.data) = 0 OR NOT EXISTS (
    SELECT 1 FROM blob
    WHERE blob.id = NEW.id >> 20
      AND length(NEW.data) = min(chunk_size, byte_count - (NEW.id & 1048575) * chunk_size)
  );
  SELECT RAISE(ABORT, 'there is such a chunk already')
  WHERE EXISTS (SELECT 1 FROM blob_chunk WHERE id = NEW.id);
END;

CREATE TRIGGER blob_chunk_before_delete BEFORE DELETE ON blob_chunk
WHEN EXISTS (SELECT 1 FROM blob WHERE id = OLD.id >> 20)
BEGIN
  SELECT RAISE(ABORT, 'a chunk goes only with its blob');
END;

CREATE TRIGGER blob_chunk_on_update BEFORE UPDATE ON blob_chunk
BEGIN
  SELECT RAISE(ABORT, 'a blob never changes: save the new bytes as another blob');
END;

CREATE TRIGGER blob_on_update BEFORE UPDATE ON blob
BEGIN
  SELECT RAISE(ABORT, 'a blob never changes: save the new bytes as another blob');
END;

-- The shell leaves foreign keys off unless told otherwise, so triggers hold every reference too.
CREATE TRIGGER blob_before_delete BEFORE DELETE ON blob
WHEN EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'a blob stays while a snippet uses it');
END;

CREATE TRIGGER blob_on_delete AFTER DELETE ON blob
BEGIN
  DELETE FROM blob_chunk WHERE id BETWEEN OLD.id << 20 AND (OLD.id << 20) + 1048575;
END;

-- One row for a snippet: what a list shows, never a payload.
CREATE TABLE snippet (
  id INTEGER PRIMARY KEY AUTOINCREMENT -- never given twice
    CONSTRAINT snippet_id_is_positive CHECK (id > 0),
  uuid BLOB NOT NULL DEFAULT (randomblob(16)) UNIQUE
    CONSTRAINT uuid_has_16_bytes CHECK (length(uuid) = 16),
  kind INTEGER NOT NULL -- 1 text, 2 image, 3 voice
    CONSTRAINT kind_is_text_image_or_voice CHECK (kind IN (1, 2, 3)),
  title TEXT NOT NULL DEFAULT '' COLLATE NOCASE
    CONSTRAINT title_is_one_short_line
    CHECK (length(title) <= 1000 AND instr(title, char(10)) = 0 AND instr(title, char(0)) = 0),
  preview TEXT NOT NULL DEFAULT ''
    CONSTRAINT preview_is_one_short_line
    CHECK (length(preview) <= 1000 AND instr(preview, char(10)) = 0
      AND instr(preview, char(0)) = 0),
  created_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT created_at_is_in_years_1_to_9999
    CHECK (created_at BETWEEN -62135596800000 AND 253402300799999),
  modified_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT modified_at_is_in_years_1_to_9999
    CHECK (modified_at BETWEEN -62135596800000 AND 253402300799999),
  pinned INTEGER NOT NULL DEFAULT 0
    CONSTRAINT pinned_is_0_or_1 CHECK (pinned IN (0, 1)),
  revision INTEGER NOT NULL DEFAULT 1 -- goes up with every change
    CONSTRAINT revision_is_positive CHECK (revision > 0),
  byte_count INTEGER NOT NULL DEFAULT 0
    CONSTRAINT byte_count_is_not_negative CHECK (byte_count >= 0),
  media_type TEXT NOT NULL DEFAULT 'text/plain'
    CONSTRAINT media_type_has_a_slash CHECK (media_type LIKE '_%/_%'),
  text_encoding TEXT -- of a text that is kept as a blob
    CONSTRAINT only_a_text_in_a_blob_has_an_encoding
    CHECK (text_encoding IS NULL OR (kind = 1 AND blob_id IS NOT NULL)),
  pixel_width INTEGER -- as displayed
    CONSTRAINT pixel_width_is_positive CHECK (pixel_width > 0),
  pixel_height INTEGER -- as displayed
    CONSTRAINT pixel_height_is_positive CHECK (pixel_height > 0),
  duration_ms INTEGER
    CONSTRAINT duration_is_not_negative CHECK (duration_ms >= 0),
  blob_id INTEGER REFERENCES blob (id) ON DELETE RESTRICT,
  CONSTRAINT image_and_voice_have_a_blob CHECK (kind = 1 OR blob_id IS NOT NULL)
) STRICT;

-- Every order ends in the unique id. What filters look at follows, so that a list is counted and
-- cut into windows without touching the table.
CREATE INDEX snippet_by_created ON snippet (created_at, id, kind, pinned);
CREATE INDEX snippet_by_modified ON snippet (modified_at, id, kind, pinned, created_at);
CREATE INDEX snippet_by_title ON snippet (title, id, kind, pinned, created_at);
CREATE INDEX snippet_by_blob ON snippet (blob_id) WHERE blob_id IS NOT NULL;

-- The body of a short text. A longer one, or one in another encoding, is a blob.
CREATE TABLE snippet_text (
  snippet_id INTEGER PRIMARY KEY REFERENCES snippet (id) ON DELETE CASCADE,
  body TEXT NOT NULL
    CONSTRAINT body_is_at_most_64_kibibytes CHECK (length(CAST(body AS BLOB)) <= 65536)
    CONSTRAINT body_has_no_nul CHECK (instr(body, char(0)) = 0) -- SQL's functions stop there
) STRICT;

-- Finds an equal text by its size and both its ends, all built in, so that it stays true whoever
-- edits.
CREATE INDEX snippet_text_by_content
  ON snippet_text (length(CAST(body AS BLOB)), substr(body, 1, 32), substr(body, -32));

CREATE TRIGGER snippet_on_identity_update BEFORE UPDATE OF id, uuid, kind, revision ON snippet
WHEN OLD.id <> NEW.id OR OLD.uuid <> NEW.uuid OR OLD.kind <> NEW.kind
  OR NEW.revision < OLD.revision
BEGIN
  SELECT RAISE(ABORT, 'id, uuid and kind of a snippet never change, its revision only goes up');
END;

CREATE TRIGGER snippet_on_update AFTER UPDATE ON snippet
WHEN NEW.revision = OLD.revision
BEGIN
  UPDATE snippet
  SET revision = OLD.revision + 1,
    modified_at = CASE
      WHEN NEW.modified_at <> OLD.modified_at THEN NEW.modified_at
      ELSE CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    END
  WHERE id = NEW.id;
END;

CREATE TRIGGER snippet_before_insert BEFORE INSERT ON snippet
BEGIN
  SELECT RAISE(ABORT, 'there is such a snippet already: change it by UPDATE')
  WHERE EXISTS (SELECT 1 FROM snippet WHERE id = NEW.id OR uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'the blob of a snippet must be there and have the size that the snippet tells')
  WHERE NEW.blob_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM blob WHERE id = NEW.blob_id AND byte_count = NEW.byte_count);
END;

CREATE TRIGGER snippet_before_content_update BEFORE UPDATE OF blob_id, byte_count ON snippet
BEGIN
  SELECT RAISE(ABORT, 'a text is kept either in snippet_text or in a blob, not in both')
  WHERE NEW.blob_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = NEW.id);
  SELECT RAISE(ABORT, 'the blob of a snippet must be there and have the size that the snippet tells')
  WHERE NEW.blob_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM blob WHERE id = NEW.blob_id AND byte_count = NEW.byte_count);
  SELECT RAISE(ABORT, 'the size of a text follows its body')
  WHERE EXISTS (
    SELECT 1 FROM snippet_text
    WHERE snippet_id = NEW.id AND length(CAST(body AS BLOB)) <> NEW.byte_count
  );
END;

-- The last reference takes the blob with it, in the same transaction.
CREATE TRIGGER snippet_on_delete AFTER DELETE ON snippet
BEGIN
  DELETE FROM snippet_text WHERE snippet_id = OLD.id;
  DELETE FROM blob
  WHERE id = OLD.blob_id AND NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.blob_id);
END;

CREATE TRIGGER snippet_on_blob_update AFTER UPDATE OF blob_id ON snippet
WHEN OLD.blob_id IS NOT NULL AND OLD.blob_id IS NOT NEW.blob_id
BEGIN
  DELETE FROM blob
  WHERE id = OLD.blob_id AND NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.blob_id);
END;

CREATE TRIGGER snippet_text_before_insert BEFORE INSERT ON snippet_text
BEGIN
  SELECT RAISE(ABORT, 'only a text snippet without a blob has a body')
  WHERE NOT EXISTS (
    SELECT 1 FROM snippet WHERE id = NEW.snippet_id AND kind = 1 AND blob_id IS NULL
  );
  SELECT RAISE(ABORT, 'the snippet has a body already: change it by UPDATE')
  WHERE EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = NEW.snippet_id);
END;

CREATE TRIGGER snippet_text_before_move BEFORE UPDATE OF snippet_id ON snippet_text
WHEN OLD.snippet_id <> NEW.snippet_id
BEGIN
  SELECT RAISE(ABORT, 'a body stays with its snippet');
END;

-- Size and preview follow the body, whoever writes it; a row that already fits is left alone.
CREATE TRIGGER snippet_text_on_insert AFTER INSERT ON snippet_text
BEGIN
  UPDATE snippet
  SET byte_count = length(CAST(NEW.body AS BLOB)),
    preview = substr(
      trim(replace(replace(replace(NEW.body, char(13), ' '), char(10), ' '), char(9), ' ')), 1, 200)
  WHERE id = NEW.snippet_id AND byte_count <> length(CAST(NEW.body AS BLOB));
END;

CREATE TRIGGER snippet_text_on_update AFTER UPDATE ON snippet_text
BEGIN
  UPDATE snippet
  SET byte_count = length(CAST(NEW.body AS BLOB)),
    preview = substr(
      trim(replace(replace(replace(NEW.body, char(13), ' '), char(10), ' '), char(9), ' ')), 1, 200)
  WHERE id = NEW.snippet_id;
END;

CREATE TRIGGER snippet_text_on_delete AFTER DELETE ON snippet_text
BEGIN
  UPDATE snippet SET byte_count = 0, preview = '' WHERE id = OLD.snippet_id;
END;

PRAGMA user_version = 1;
