-- The record of every change, whoever makes it: this library, another process or the shell.
--
-- Triggers write it, of built-in SQL only, so that no writer can forget to. Who follows the store
-- remembers the number of the last change that it knows, and reads on from there.

-- What was changed, and what the snippet was before; what it is now stands in the table snippet.
--
-- The numbers have no gaps. So whoever finds one, at the end too where sqlite_sequence knows a
-- higher number, has fallen behind, or sees a backup restored, and must read everything again.
CREATE TABLE change (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the commits
  snippet_id INTEGER NOT NULL,
  event INTEGER NOT NULL -- 1 inserted, 2 updated, 3 deleted, 4 tag put on, 5 tag taken off
    CONSTRAINT event_is_from_1_to_5 CHECK (event BETWEEN 1 AND 5),
  tag TEXT COLLATE NOCASE -- its name, since the number of a tag can be given again
    CONSTRAINT only_the_events_4_and_5_have_a_tag CHECK ((tag IS NULL) = (event < 4)),
  kind INTEGER, -- this and the rest: before, of the events 2 and 3
  pinned INTEGER,
  created_at INTEGER,
  modified_at INTEGER,
  title TEXT,
  CONSTRAINT only_the_events_2_and_3_tell_what_was_before
    CHECK (event IN (2, 3) = (
      kind IS NOT NULL AND pinned IS NOT NULL AND created_at IS NOT NULL
      AND modified_at IS NOT NULL AND title IS NOT NULL
    ))
) STRICT;

-- The record keeps the last 65,536 changes, and up to 1,023 more: whoever writes, each 1,024th
-- change takes the oldest away.
CREATE TRIGGER change_on_insert AFTER INSERT ON change
WHEN NEW.number & 1023 = 0
BEGIN
  DELETE FROM change WHERE number <= NEW.number - 65536;
END;

CREATE TRIGGER change_before_update BEFORE UPDATE ON change
BEGIN
  SELECT RAISE(ABORT, 'what was recorded never changes');
END;

-- What is left of a deleted snippet, for a synchronisation with other devices: without it, a device
-- that was away could not tell what was deleted here from what is new there.
--
-- Nothing takes one away: nobody can say for how long a device stays away, so that only the
-- synchronisation itself can know when each one has heard of it. Each costs some 60 bytes.
CREATE TABLE tombstone (
  snippet_id INTEGER PRIMARY KEY,
  uuid BLOB NOT NULL
    CONSTRAINT tombstone_uuid_has_16_bytes CHECK (length(uuid) = 16),
  revision INTEGER NOT NULL -- the last that the snippet had
    CONSTRAINT tombstone_revision_is_positive CHECK (revision > 0),
  deleted_at INTEGER NOT NULL -- milliseconds since 1970, UTC
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
) STRICT;

CREATE INDEX tombstone_by_uuid ON tombstone (uuid);

CREATE TRIGGER change_on_snippet_insert AFTER INSERT ON snippet
BEGIN
  INSERT INTO change (snippet_id, event) VALUES (NEW.id, 1);
END;

-- One trigger records and raises the revision: its own UPDATE does not fire it again. With
-- recursive_triggers on it does, which records that one too; nobody is misled, since what a snippet
-- was is told by the first of its changes.
DROP TRIGGER snippet_on_update;
CREATE TRIGGER snippet_on_update AFTER UPDATE ON snippet
BEGIN
  INSERT INTO change (snippet_id, event, kind, pinned, created_at, modified_at, title)
  VALUES (OLD.id, 2, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title);
  UPDATE snippet
  SET revision = OLD.revision + 1,
    modified_at = CASE
      WHEN NEW.modified_at <> OLD.modified_at THEN NEW.modified_at
      ELSE CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    END
  WHERE NEW.revision = OLD.revision AND id = NEW.id;
END;

-- A snippet that comes again under its old number, and is deleted again, has one tombstone.
CREATE TRIGGER change_on_snippet_delete AFTER DELETE ON snippet
BEGIN
  INSERT INTO change (snippet_id, event, kind, pinned, created_at, modified_at, title)
  VALUES (OLD.id, 3, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title);
  DELETE FROM tombstone WHERE snippet_id = OLD.id;
  INSERT INTO tombstone (snippet_id, uuid, revision) VALUES (OLD.id, OLD.uuid, OLD.revision);
END;

-- Before the row is there: afterwards nobody could tell what INSERT OR REPLACE has found.
CREATE TRIGGER change_before_snippet_tag_insert BEFORE INSERT ON snippet_tag
WHEN NOT EXISTS (
  SELECT 1 FROM snippet_tag WHERE snippet_id = NEW.snippet_id AND tag_id = NEW.tag_id
)
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT NEW.snippet_id, 4, name FROM tag WHERE id = NEW.tag_id;
END;

-- A tag that is deleted itself has told of its snippets before, while it had a name.
CREATE TRIGGER change_before_tag_delete BEFORE DELETE ON tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 5, OLD.name FROM snippet_tag WHERE tag_id = OLD.id;
END;

DROP TRIGGER snippet_tag_on_delete;
CREATE TRIGGER snippet_tag_on_delete AFTER DELETE ON snippet_tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT OLD.snippet_id, 5, name FROM tag WHERE id = OLD.tag_id;
  UPDATE snippet SET revision = revision + 1 WHERE id = OLD.snippet_id;
  DELETE FROM tag
  WHERE id = OLD.tag_id AND NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = OLD.tag_id);
END;

DROP TRIGGER tag_on_rename;
CREATE TRIGGER tag_on_rename AFTER UPDATE OF name ON tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 5, OLD.name FROM snippet_tag WHERE tag_id = NEW.id AND NEW.name <> OLD.name;
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 4, NEW.name FROM snippet_tag WHERE tag_id = NEW.id AND NEW.name <> OLD.name;
  UPDATE snippet SET revision = revision + 1
  WHERE id IN (SELECT snippet_id FROM snippet_tag WHERE tag_id = NEW.id);
END;

-- The record in words, the last change first.
CREATE VIEW changes AS
SELECT
  number,
  CASE event
    WHEN 1 THEN 'inserted' WHEN 2 THEN 'updated' WHEN 3 THEN 'deleted'
    WHEN 4 THEN 'tag put on' WHEN 5 THEN 'tag taken off'
  END AS event,
  change.snippet_id,
  tag,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind_before,
  title AS title_before,
  CASE pinned WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS pinned_before,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created_before,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_at / 1000.0, 'unixepoch') AS modified_before
FROM change
ORDER BY number DESC;

-- What was deleted, the last first.
CREATE VIEW tombstones AS
SELECT
  snippet_id,
  lower(
    substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
    || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)
  ) AS uuid,
  revision,
  strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at / 1000.0, 'unixepoch') AS deleted
FROM tombstone
ORDER BY deleted_at DESC;

PRAGMA user_version = 4;
