-- Large files in steps: to write one at once would keep all others from writing until it is there. So
-- its chunks come as those of a recording do, which nobody sees, and of which nothing is kept when the
-- program ends before the snippet is there.

ALTER TABLE recording ADD COLUMN resumable INTEGER NOT NULL DEFAULT 1 -- 0 for a file being saved
  CONSTRAINT resumable_is_0_or_1 CHECK (resumable IN (0, 1));

DROP TRIGGER recording_on_identity_update;
CREATE TRIGGER recording_on_identity_update
BEFORE UPDATE OF id, uuid, chunk_size, discarded, resumable ON recording
WHEN OLD.id <> NEW.id OR OLD.uuid <> NEW.uuid OR OLD.chunk_size <> NEW.chunk_size
  OR NEW.discarded < OLD.discarded OR OLD.resumable <> NEW.resumable
BEGIN
  SELECT RAISE(ABORT, 'id, uuid, chunk_size and resumable of a recording never change, nor does it come back');
END;

-- What is being recorded, or was when the program ended; the last first.
DROP VIEW recordings;
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
WHERE discarded = 0 AND resumable = 1
ORDER BY appended_at DESC;

PRAGMA user_version = 9;
