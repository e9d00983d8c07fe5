-- The trash: snippets that are deleted and can be brought back. And derivatives: what was computed
-- from blobs, kept so that it need not be computed again.

-- When the snippet was moved to the trash; NULL for one that is not there. A DELETE is for good.
ALTER TABLE snippet ADD COLUMN deleted_at INTEGER -- milliseconds since 1970, UTC
  CONSTRAINT deleted_at_is_in_years_1_to_9999
  CHECK (deleted_at BETWEEN -62135596800000 AND 253402300799999);

-- A list holds either what is in the trash or what is not, and walks an index that holds the same,
-- so that a full trash costs a list nothing. That the column is in its own index, though it says
-- the same of every entry, lets SQLite ask the index alone.
DROP INDEX snippet_by_created;
DROP INDEX snippet_by_modified;
DROP INDEX snippet_by_title;
CREATE INDEX snippet_by_created ON snippet (created_at, id, kind, pinned, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_by_modified
  ON snippet (modified_at, id, kind, pinned, created_at, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX snippet_by_title ON snippet (title, id, kind, pinned, created_at, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_trash_by_deleted ON snippet (deleted_at, id, kind, pinned, created_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_created ON snippet (created_at, id, kind, pinned, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_modified
  ON snippet (modified_at, id, kind, pinned, created_at, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_title
  ON snippet (title, id, kind, pinned, created_at, deleted_at) WHERE deleted_at IS NOT NULL;

-- What a list must know of a change: whether the snippet was in the trash before, and whether it is
-- there since.
ALTER TABLE change ADD COLUMN deleted_at INTEGER -- before, of the events 2 and 3
  CONSTRAINT only_the_events_2_and_3_tell_of_the_trash_before
  CHECK (deleted_at IS NULL OR event IN (2, 3));
ALTER TABLE change ADD COLUMN in_trash INTEGER NOT NULL DEFAULT 0 -- after, of the events 1 and 2
  CONSTRAINT in_trash_is_0_or_1 CHECK (in_trash IN (0, 1));

DROP TRIGGER change_on_snippet_insert;
CREATE TRIGGER change_on_snippet_insert AFTER INSERT ON snippet
BEGIN
  INSERT INTO change (snippet_id, event, in_trash) VALUES (NEW.id, 1, NEW.deleted_at IS NOT NULL);
END;

-- To be moved to the trash and back is no change of the content, so the date of the last change
-- stays.
DROP TRIGGER snippet_on_update;
CREATE TRIGGER snippet_on_update AFTER UPDATE ON snippet
BEGIN
  INSERT INTO change (
    snippet_id, event, kind, pinned, created_at, modified_at, title, deleted_at, in_trash
  )
  VALUES (
    OLD.id, 2, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title, OLD.deleted_at,
    NEW.deleted_at IS NOT NULL
  );
  UPDATE snippet
  SET revision = OLD.revision + 1,
    modified_at = CASE
      WHEN NEW.modified_at <> OLD.modified_at OR NEW.deleted_at IS NOT OLD.deleted_at
      THEN NEW.modified_at
      ELSE CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    END
  WHERE NEW.revision = OLD.revision AND id = NEW.id;
END;

DROP TRIGGER change_on_snippet_delete;
CREATE TRIGGER change_on_snippet_delete AFTER DELETE ON snippet
BEGIN
  INSERT INTO change (
    snippet_id, event, kind, pinned, created_at, modified_at, title, deleted_at
  )
  VALUES (
    OLD.id, 3, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title, OLD.deleted_at
  );
  DELETE FROM tombstone WHERE snippet_id = OLD.id;
  INSERT INTO tombstone (snippet_id, uuid, revision) VALUES (OLD.id, OLD.uuid, OLD.revision);
END;

-- What was computed from a blob and can be computed again: a cache. Any row may be deleted at any
-- time, and all go with their blob.
CREATE TABLE derivative (
  id INTEGER PRIMARY KEY,
  blob_id INTEGER NOT NULL REFERENCES blob (id) ON DELETE CASCADE,
  recipe TEXT NOT NULL -- how it was computed
    CONSTRAINT recipe_is_a_short_name
    CHECK (length(recipe) BETWEEN 1 AND 100 AND instr(recipe, char(10)) = 0
      AND instr(recipe, char(0)) = 0),
  version INTEGER NOT NULL, -- of the recipe; one of another version counts for nothing
  used_at INTEGER NOT NULL -- milliseconds since 1970, UTC; some minutes late
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)),
  byte_count INTEGER NOT NULL
    CONSTRAINT derivative_byte_count_is_that_of_its_data CHECK (byte_count = length(data)),
  data BLOB NOT NULL,
  UNIQUE (blob_id, recipe)
) STRICT;

-- What was not used for longest goes first.
CREATE INDEX derivative_by_use ON derivative (used_at, id, byte_count);

-- One row: the size of all derivatives, so that nobody has to add it up to keep it within bounds.
CREATE TABLE derivative_total (
  id INTEGER PRIMARY KEY
    CONSTRAINT derivative_total_is_one_row CHECK (id = 1),
  byte_count INTEGER NOT NULL
) STRICT;

INSERT INTO derivative_total (id, byte_count) VALUES (1, 0);

CREATE TRIGGER derivative_before_insert BEFORE INSERT ON derivative
BEGIN
  SELECT RAISE(ABORT, 'the blob of a derivative must be there')
  WHERE NOT EXISTS (SELECT 1 FROM blob WHERE id = NEW.blob_id);
  SELECT RAISE(ABORT, 'there is such a derivative already: delete it first')
  WHERE EXISTS (
    SELECT 1 FROM derivative
    WHERE id = NEW.id OR (blob_id = NEW.blob_id AND recipe = NEW.recipe)
  );
END;

CREATE TRIGGER derivative_before_update
BEFORE UPDATE OF id, blob_id, recipe, version, byte_count, data ON derivative
BEGIN
  SELECT RAISE(ABORT, 'a derivative never changes: delete it and insert another one');
END;

CREATE TRIGGER derivative_on_insert AFTER INSERT ON derivative
BEGIN
  UPDATE derivative_total SET byte_count = byte_count + NEW.byte_count;
END;

CREATE TRIGGER derivative_on_delete AFTER DELETE ON derivative
BEGIN
  UPDATE derivative_total SET byte_count = byte_count - OLD.byte_count;
END;

CREATE TRIGGER derivative_on_blob_delete AFTER DELETE ON blob
BEGIN
  DELETE FROM derivative WHERE blob_id = OLD.id;
END;

-- The views show what is not in the trash; what is there is in a view of its own.
DROP VIEW snippets;
CREATE VIEW snippets AS
SELECT
  snippet.id,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind,
  title,
  preview,
  (
    SELECT group_concat(name, ', ')
    FROM (
      SELECT tag.name FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id
      WHERE snippet_tag.snippet_id = snippet.id ORDER BY tag.name
    )
  ) AS tags,
  CASE pinned WHEN 1 THEN 'yes' ELSE 'no' END AS pinned,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_at / 1000.0, 'unixepoch') AS modified,
  CASE
    WHEN snippet.byte_count < 1000 THEN snippet.byte_count || ' B'
    WHEN snippet.byte_count < 1000000 THEN printf('%.1f kB', snippet.byte_count / 1e3)
    WHEN snippet.byte_count < 1000000000 THEN printf('%.1f MB', snippet.byte_count / 1e6)
    ELSE printf('%.1f GB', snippet.byte_count / 1e9)
  END AS size,
  media_type,
  CASE WHEN pixel_width IS NOT NULL THEN pixel_width || ' × ' || pixel_height END AS pixels,
  CASE
    WHEN duration_ms IS NOT NULL
    THEN printf('%d:%06.3f', duration_ms / 60000, duration_ms % 60000 / 1000.0)
  END AS duration,
  lower(
    substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
    || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)
  ) AS uuid,
  revision,
  blob_id
FROM snippet
WHERE deleted_at IS NULL;

-- What is in the trash, the last first. To bring one back:
--   UPDATE snippet SET deleted_at = NULL WHERE id = 7;
CREATE VIEW trash AS
SELECT
  snippet.id,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind,
  title,
  preview,
  strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at / 1000.0, 'unixepoch') AS deleted,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created,
  CASE
    WHEN snippet.byte_count < 1000 THEN snippet.byte_count || ' B'
    WHEN snippet.byte_count < 1000000 THEN printf('%.1f kB', snippet.byte_count / 1e3)
    WHEN snippet.byte_count < 1000000000 THEN printf('%.1f MB', snippet.byte_count / 1e6)
    ELSE printf('%.1f GB', snippet.byte_count / 1e9)
  END AS size,
  media_type,
  blob_id
FROM snippet
WHERE deleted_at IS NOT NULL
ORDER BY deleted_at DESC, snippet.id DESC;

DROP VIEW texts;
CREATE VIEW texts AS
SELECT snippet.id, snippet.title, snippet_text.body
FROM snippet JOIN snippet_text ON snippet_text.snippet_id = snippet.id
WHERE deleted_at IS NULL;

DROP VIEW small_blobs;
CREATE VIEW small_blobs AS
SELECT snippet.id AS snippet_id, snippet.title, snippet.media_type, blob_chunk.data
FROM snippet
JOIN blob ON blob.id = snippet.blob_id AND blob.byte_count <= blob.chunk_size
JOIN blob_chunk ON blob_chunk.id = blob.id << 20
WHERE deleted_at IS NULL;

-- Every tag with the number of snippets that carry it; what is in the trash is counted by itself,
-- since it is little.
DROP VIEW tags;
CREATE VIEW tags AS
SELECT tag.name, carried - coalesce(trashed, 0) AS snippets
FROM tag
JOIN (SELECT tag_id, count(*) AS carried FROM snippet_tag GROUP BY tag_id) AS carrying
  ON carrying.tag_id = tag.id
LEFT JOIN (
  SELECT tag_id, count(*) AS trashed
  FROM snippet CROSS JOIN snippet_tag ON snippet_tag.snippet_id = snippet.id
  WHERE deleted_at IS NOT NULL GROUP BY tag_id
) AS trashing
  ON trashing.tag_id = tag.id
WHERE carried > coalesce(trashed, 0);

DROP VIEW changes;
CREATE VIEW changes AS
SELECT
  number,
  CASE
    WHEN event = 2 AND in_trash > (deleted_at IS NOT NULL) THEN 'moved to the trash'
    WHEN event = 2 AND in_trash < (deleted_at IS NOT NULL) THEN 'undeleted'
    WHEN event = 1 THEN 'inserted'
    WHEN event = 2 THEN 'updated'
    WHEN event = 3 THEN 'deleted'
    WHEN event = 4 THEN 'tag put on'
    WHEN event = 5 THEN 'tag taken off'
  END AS event,
  change.snippet_id,
  tag,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind_before,
  title AS title_before,
  CASE pinned WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS pinned_before,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created_before,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_at / 1000.0, 'unixepoch') AS modified_before,
  strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at / 1000.0, 'unixepoch') AS deleted_before
FROM change
ORDER BY number DESC;

-- The derivatives, the last used first.
CREATE VIEW derivatives AS
SELECT
  blob_id,
  recipe,
  version,
  CASE
    WHEN byte_count < 1000 THEN byte_count || ' B'
    WHEN byte_count < 1000000 THEN printf('%.1f kB', byte_count / 1e3)
    WHEN byte_count < 1000000000 THEN printf('%.1f MB', byte_count / 1e6)
    ELSE printf('%.1f GB', byte_count / 1e9)
  END AS size,
  strftime('%Y-%m-%dT%H:%M:%fZ', used_at / 1000.0, 'unixepoch') AS used
FROM derivative
ORDER BY used_at DESC;

PRAGMA user_version = 6;
