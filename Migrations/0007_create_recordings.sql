-- Recordings in progress: bytes that come piece by piece and survive whatever ends the program.
--
-- A recording has the number of the blob that it becomes, and its full chunks stand in blob_chunk
-- from the first on. So to finish one of any size is to insert its row into blob: no byte is copied.

CREATE TABLE recording (
  id INTEGER PRIMARY KEY -- given by blob, and never to a blob again
    CONSTRAINT recording_id_leaves_room_for_chunks CHECK (id BETWEEN 1 AND 8796093022207),
  uuid BLOB NOT NULL UNIQUE -- that of the snippet that it becomes
    CONSTRAINT recording_uuid_has_16_bytes CHECK (length(uuid) = 16),
  kind INTEGER -- 1 text, 2 image, 3 voice; NULL where the bytes will tell
    CONSTRAINT recording_kind_is_text_image_or_voice CHECK (kind IN (1, 2, 3)),
  title TEXT
    CONSTRAINT recording_title_is_one_short_line
    CHECK (length(title) <= 1000 AND instr(title, char(10)) = 0 AND instr(title, char(0)) = 0),
  tags TEXT NOT NULL DEFAULT '' -- with a comma between each two, which no tag has in it
    CONSTRAINT recording_tags_are_one_line
    CHECK (instr(tags, char(10)) = 0 AND instr(tags, char(0)) = 0),
  media_type TEXT -- NULL where the bytes will tell
    CONSTRAINT recording_media_type_has_a_slash CHECK (media_type LIKE '_%/_%'),
  started_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT started_at_is_in_years_1_to_9999
    CHECK (started_at BETWEEN -62135596800000 AND 253402300799999),
  appended_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT appended_at_is_in_years_1_to_9999
    CHECK (appended_at BETWEEN -62135596800000 AND 253402300799999),
  process TEXT NOT NULL DEFAULT '', -- who records: its number, and since when it runs
  discarded INTEGER NOT NULL DEFAULT 0 -- 1 while its chunks are taken away
    CONSTRAINT discarded_is_0_or_1 CHECK (discarded IN (0, 1)),
  chunk_size INTEGER NOT NULL
    CONSTRAINT recording_chunk_size_is_from_1_byte_to_16_mebibytes
    CHECK (chunk_size BETWEEN 1 AND 16777216),
  tail BLOB NOT NULL DEFAULT X'' -- what came after the last full chunk
    CONSTRAINT tail_is_shorter_than_a_chunk CHECK (length(tail) < chunk_size)
) STRICT;

CREATE TRIGGER recording_before_insert BEFORE INSERT ON recording
BEGIN
  SELECT RAISE(ABORT, 'there is such a recording already')
  WHERE EXISTS (SELECT 1 FROM recording WHERE id = NEW.id OR uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'a recording takes a number that blob has given and that is free again')
  WHERE NEW.id > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blob'), 0)
    OR EXISTS (SELECT 1 FROM blob WHERE id = NEW.id)
    OR EXISTS (
      SELECT 1 FROM blob_chunk WHERE id BETWEEN NEW.id << 20 AND (NEW.id << 20) + 1048575
    );
END;

CREATE TRIGGER recording_on_identity_update
BEFORE UPDATE OF id, uuid, chunk_size, discarded ON recording
WHEN OLD.id <> NEW.id OR OLD.uuid <> NEW.uuid OR OLD.chunk_size <> NEW.chunk_size
  OR NEW.discarded < OLD.discarded
BEGIN
  SELECT RAISE(ABORT, 'id, uuid and chunk_size of a recording never change, nor does it come back');
END;

-- A recording that has become a blob leaves its chunks to that.
CREATE TRIGGER recording_on_delete AFTER DELETE ON recording
WHEN NOT EXISTS (SELECT 1 FROM blob WHERE id = OLD.id)
BEGIN
  DELETE FROM blob_chunk WHERE id BETWEEN OLD.id << 20 AND (OLD.id << 20) + 1048575;
END;

-- What becomes a blob is all that was recorded, no less and no more.
CREATE TRIGGER recording_before_blob_insert BEFORE INSERT ON blob
WHEN EXISTS (SELECT 1 FROM recording WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'a blob that was recorded has the size of its recording')
  WHERE NOT EXISTS (
    SELECT 1 FROM recording
    WHERE id = NEW.id AND discarded = 0 AND chunk_size = NEW.chunk_size
      AND NEW.byte_count = length(tail) + chunk_size * coalesce(
        (
          SELECT max(id) - (NEW.id << 20) + 1 FROM blob_chunk
          WHERE id BETWEEN NEW.id << 20 AND (NEW.id << 20) + 1048575
        ), 0)
  );
END;

DROP TRIGGER blob_chunk_on_insert;
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
      SELECT 1 FROM recording
      WHERE recording.id = NEW.id >> 20 AND discarded = 0 AND length(NEW.data) = chunk_size
        AND (NEW.id & 1048575 = 0 OR EXISTS (SELECT 1 FROM blob_chunk WHERE id = NEW.id - 1))
    )
  );
  SELECT RAISE(ABORT, 'there is such a chunk already')
  WHERE EXISTS (SELECT 1 FROM blob_chunk WHERE id = NEW.id);
END;

DROP TRIGGER blob_chunk_before_delete;
CREATE TRIGGER blob_chunk_before_delete BEFORE DELETE ON blob_chunk
WHEN EXISTS (SELECT 1 FROM blob WHERE id = OLD.id >> 20)
  OR EXISTS (SELECT 1 FROM recording WHERE id = OLD.id >> 20 AND discarded = 0)
BEGIN
  SELECT RAISE(ABORT, 'a chunk goes only with its blob');
END;

-- What is being recorded, or was when the program ended; the last first.
CREATE VIEW recordings AS
SELECT
  id,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind,
  title,
  tags,
  media_type,
  strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch') AS started,
  strftime('%Y-%m-%dT%H:%M:%fZ', appended_at / 1000.0, 'unixepoch') AS appended,
  length(tail) + chunk_size * coalesce(
    (
      SELECT max(blob_chunk.id) - (recording.id << 20) + 1 FROM blob_chunk
      WHERE blob_chunk.id BETWEEN recording.id << 20 AND (recording.id << 20) + 1048575
    ), 0) AS byte_count,
  process
FROM recording
WHERE discarded = 0
ORDER BY appended_at DESC;

PRAGMA user_version = 7;
