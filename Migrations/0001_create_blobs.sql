-- Blobs: expensive bytes, stored once, never changed. With those that are still being written.
--
-- The library runs every file of this folder in its own transaction. In the shell:
--   cat Migrations/*.sql | sqlite3 -bail new.sqlite

-- Only an empty file takes these two; a page of 8 KiB suits rows and chunks alike, and free pages
-- can go back to the file system in small steps.
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;

-- The letters "Snip": how a file says whose it is.
PRAGMA application_id = 0x536E6970;

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

-- A blob that is written in steps, so that a film or an hour of sound keeps nobody else from
-- writing. It has the id of the blob that it becomes, and its full chunks stand in blob_chunk from
-- the first step on. To finish one of any size is to insert its row into blob: no byte is copied.
CREATE TABLE staged_blob (
  id INTEGER PRIMARY KEY -- given by blob, and never to a blob again
    CONSTRAINT staged_blob_id_leaves_room_for_chunks CHECK (id BETWEEN 1 AND 8796093022207),
  uuid BLOB NOT NULL UNIQUE -- that of the snippet that a capture becomes
    CONSTRAINT staged_blob_uuid_has_16_bytes CHECK (length(uuid) = 16),
  process TEXT NOT NULL DEFAULT '', -- who writes it: its number, and since when it runs
  discarded INTEGER NOT NULL DEFAULT 0 -- 1 while its chunks are removed, some in each transaction
    CONSTRAINT discarded_is_0_or_1 CHECK (discarded IN (0, 1)),
  appended_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT appended_at_is_in_years_1_to_9999
    CHECK (appended_at BETWEEN -62135596800000 AND 253402300799999),
  chunk_size INTEGER NOT NULL
    CONSTRAINT staged_chunk_size_is_from_1_byte_to_16_mebibytes
    CHECK (chunk_size BETWEEN 1 AND 16777216),
  tail BLOB NOT NULL DEFAULT X'' -- what came after the last full chunk
    CONSTRAINT tail_is_shorter_than_a_chunk CHECK (length(tail) < chunk_size)
) STRICT;

-- A capture: a staged blob whose bytes come from outside and are worth keeping after a crash, with
-- what is known of the snippet that it becomes. A staged blob without one is a file being saved, and
-- goes when its process ends.
CREATE TABLE capture (
  id INTEGER PRIMARY KEY REFERENCES staged_blob (id) ON DELETE CASCADE,
  kind INTEGER -- 1 text, 2 image, 3 voice; NULL where the bytes will tell
    CONSTRAINT capture_kind_is_text_image_or_voice CHECK (kind IN (1, 2, 3)),
  title TEXT -- NULL where the bytes will tell
    CONSTRAINT capture_title_is_one_short_line
    CHECK (length(title) <= 1000 AND instr(title, char(10)) = 0 AND instr(title, char(0)) = 0),
  tags TEXT NOT NULL DEFAULT '' -- separated by commas, which no tag holds
    CONSTRAINT capture_tags_are_one_line
    CHECK (instr(tags, char(10)) = 0 AND instr(tags, char(0)) = 0),
  media_type TEXT -- NULL where the bytes will tell
    CONSTRAINT capture_media_type_has_a_slash CHECK (media_type LIKE '_%/_%'),
  started_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT started_at_is_in_years_1_to_9999
    CHECK (started_at BETWEEN -62135596800000 AND 253402300799999)
) STRICT;

-- INSERT OR REPLACE deletes without firing the triggers of a deletion, so a BEFORE INSERT trigger
-- refuses what would replace a row. And no id runs far ahead: the last id that there can be would
-- leave none for anything to come.
CREATE TRIGGER blob_before_insert BEFORE INSERT ON blob
BEGIN
  SELECT RAISE(ABORT, 'there is such a blob already')
  WHERE EXISTS (SELECT 1 FROM blob WHERE id = NEW.id OR sha256 = NEW.sha256);
  SELECT RAISE(ABORT, 'the id is too far ahead of the last: leave it out')
  WHERE NEW.id > 16777216
    AND NEW.id > 16777216 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blob'), 0);
  SELECT RAISE(ABORT, 'a staged blob becomes a blob of all its bytes')
  WHERE EXISTS (SELECT 1 FROM staged_blob WHERE id = NEW.id)
    AND NOT EXISTS (
      SELECT 1 FROM staged_blob
      WHERE id = NEW.id AND discarded = 0 AND chunk_size = NEW.chunk_size
        AND NEW.byte_count = length(tail) + chunk_size * coalesce(
          (
            SELECT max(id) - (NEW.id << 20) + 1 FROM blob_chunk
            WHERE id BETWEEN NEW.id << 20 AND (NEW.id << 20) + 1048575
          ), 0)
    );
END;

CREATE TRIGGER blob_on_update BEFORE UPDATE ON blob
BEGIN
  SELECT RAISE(ABORT, 'a blob never changes: save the new bytes as another blob');
END;

CREATE TRIGGER blob_on_delete AFTER DELETE ON blob
BEGIN
  DELETE FROM blob_chunk WHERE id BETWEEN OLD.id << 20 AND (OLD.id << 20) + 1048575;
END;

CREATE TRIGGER blob_chunk_on_insert BEFORE INSERT ON blob_chunk
BEGIN
  SELECT RAISE(ABORT, 'a chunk must belong to a blob and have the size that the blob gives it')
  WHERE length(NEW.data) = 0 OR (
    NOT EXISTS (
      SELECT 1 FROM blob
      WHERE blob.id = NEW.id >> 20
        AND length(NEW.data) = min(chunk_size, byte_count - (NEW.id & 1048575) * chunk_size)
    )
    AND NOT EXISTS (
      SELECT 1 FROM staged_blob
      WHERE staged_blob.id = NEW.id >> 20 AND discarded = 0 AND length(NEW.data) = chunk_size
        AND (NEW.id & 1048575 = 0 OR EXISTS (SELECT 1 FROM blob_chunk WHERE id = NEW.id - 1))
    )
  );
  SELECT RAISE(ABORT, 'there is such a chunk already')
  WHERE EXISTS (SELECT 1 FROM blob_chunk WHERE id = NEW.id);
END;

CREATE TRIGGER blob_chunk_on_update BEFORE UPDATE ON blob_chunk
BEGIN
  SELECT RAISE(ABORT, 'a blob never changes: save the new bytes as another blob');
END;

CREATE TRIGGER blob_chunk_before_delete BEFORE DELETE ON blob_chunk
WHEN EXISTS (SELECT 1 FROM blob WHERE id = OLD.id >> 20)
  OR EXISTS (SELECT 1 FROM staged_blob WHERE id = OLD.id >> 20 AND discarded = 0)
BEGIN
  SELECT RAISE(ABORT, 'a chunk goes only with its blob');
END;

CREATE TRIGGER staged_blob_before_insert BEFORE INSERT ON staged_blob
BEGIN
  SELECT RAISE(ABORT, 'there is such a staged blob already')
  WHERE EXISTS (SELECT 1 FROM staged_blob WHERE id = NEW.id OR uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'a staged blob takes an id that blob has given and that is free again')
  WHERE NEW.id > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blob'), 0)
    OR EXISTS (SELECT 1 FROM blob WHERE id = NEW.id)
    OR EXISTS (
      SELECT 1 FROM blob_chunk WHERE id BETWEEN NEW.id << 20 AND (NEW.id << 20) + 1048575
    );
END;

CREATE TRIGGER staged_blob_on_identity_update
BEFORE UPDATE OF id, uuid, chunk_size, discarded ON staged_blob
WHEN OLD.id <> NEW.id OR OLD.uuid <> NEW.uuid OR OLD.chunk_size <> NEW.chunk_size
  OR NEW.discarded < OLD.discarded
BEGIN
  SELECT RAISE(ABORT, 'id, uuid and chunk_size of a staged blob never change, nor does it come back');
END;

CREATE TRIGGER staged_blob_on_discard AFTER UPDATE OF discarded ON staged_blob
WHEN NEW.discarded > OLD.discarded
BEGIN
  DELETE FROM capture WHERE id = NEW.id;
END;

-- A staged blob that has become a blob leaves its chunks to it.
CREATE TRIGGER staged_blob_on_delete AFTER DELETE ON staged_blob
BEGIN
  DELETE FROM capture WHERE id = OLD.id;
  DELETE FROM blob_chunk
  WHERE id BETWEEN OLD.id << 20 AND (OLD.id << 20) + 1048575
    AND NOT EXISTS (SELECT 1 FROM blob WHERE id = OLD.id);
END;

CREATE TRIGGER capture_before_insert BEFORE INSERT ON capture
BEGIN
  SELECT RAISE(ABORT, 'there is such a capture already')
  WHERE EXISTS (SELECT 1 FROM capture WHERE id = NEW.id);
  SELECT RAISE(ABORT, 'a capture needs a staged blob for its bytes')
  WHERE NOT EXISTS (SELECT 1 FROM staged_blob WHERE id = NEW.id AND discarded = 0);
END;

CREATE TRIGGER capture_on_identity_update BEFORE UPDATE OF id ON capture
WHEN OLD.id <> NEW.id
BEGIN
  SELECT RAISE(ABORT, 'a capture stays with its staged blob');
END;

CREATE TRIGGER capture_on_delete AFTER DELETE ON capture
BEGIN
  UPDATE staged_blob SET discarded = 1 WHERE id = OLD.id AND discarded = 0;
END;

PRAGMA user_version = 1;
