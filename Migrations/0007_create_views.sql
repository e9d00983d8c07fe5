-- Views made for people: numbers that sort, words, ISO dates, hex hashes. Start with
--   SELECT id, kind, title, about FROM snippets ORDER BY created_at DESC LIMIT 5;
--
-- What people change is written to the views as well, by triggers of built-in SQL:
--   INSERT INTO snippets (kind, title, body, tags) VALUES ('text', 'Milk', 'Two bottles', 'shop, home');
--   UPDATE snippets SET title = 'Oat milk', tags = 'shop', pinned = 1 WHERE id = 7;
--   DELETE FROM snippets WHERE id = 7;             -- to the trash
--   UPDATE trash SET deleted = NULL WHERE id = 7;  -- and back
--   DELETE FROM trash WHERE id = 7;                -- for good
--   UPDATE snippets SET note = 'The beach at noon' WHERE id = 8;  -- of an image or voice; '' for none
-- Images and voice come with `snip add`, since built-in SQL cannot hash their bytes.

-- What is not in the trash. Sort by numbers: bytes, width, height, milliseconds; created_at and
-- modified_at are milliseconds since 1970, UTC, and use an index.
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
  pinned,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_at / 1000.0, 'unixepoch') AS modified,
  CASE
    WHEN byte_count < 1000 THEN byte_count || ' B'
    WHEN byte_count < 1000000 THEN printf('%.1f kB', byte_count / 1e3)
    WHEN byte_count < 1000000000 THEN printf('%.1f MB', byte_count / 1e6)
    ELSE printf('%.1f GB', byte_count / 1e9)
  END
  || CASE WHEN pixel_width IS NULL THEN '' ELSE ', ' || pixel_width || ' × ' || pixel_height END
  || CASE
    WHEN duration_ms IS NULL THEN ''
    ELSE printf(', %d:%06.3f', duration_ms / 60000, duration_ms % 60000 / 1000.0)
  END
  || coalesce(', ' || sample_rate || ' Hz', '')
  || CASE WHEN irregular THEN iif(kind = 2, ', cut short', ', irregular') ELSE '' END AS about,
  byte_count AS bytes,
  pixel_width AS width,
  pixel_height AS height,
  duration_ms AS milliseconds,
  sample_rate,
  channel_count AS channels,
  media_type,
  created_at,
  modified_at,
  lower(
    substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
    || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)
  ) AS uuid,
  revision,
  blob_id,
  -- Of a short text; the view texts has the long ones too.
  (SELECT body FROM snippet_text WHERE snippet_id = snippet.id AND kind = 1) AS body,
  -- Of an image or voice; NULL for none.
  (SELECT body FROM snippet_text WHERE snippet_id = snippet.id AND kind <> 1) AS note
FROM snippet
WHERE deleted_at IS NULL;

CREATE TRIGGER snippets_on_insert INSTEAD OF INSERT ON snippets
BEGIN
  SELECT RAISE(ABORT, 'only a text can be inserted here: add images and voice with snip add')
  WHERE NEW.kind <> 'text';
  SELECT RAISE(ABORT, 'only an image or voice has a note: write it into the body')
  WHERE NEW.note IS NOT NULL;
  SELECT RAISE(ABORT, 'give kind, title, body, tags, pinned, media_type and created; the rest follows from them')
  WHERE coalesce(
    NEW.preview, NEW.modified, NEW.about, NEW.bytes, NEW.width, NEW.height, NEW.milliseconds,
    NEW.sample_rate, NEW.channels, NEW.modified_at, NEW.uuid, NEW.revision, NEW.blob_id
  ) IS NOT NULL OR (NEW.created IS NOT NULL AND NEW.created_at IS NOT NULL);
  SELECT RAISE(ABORT, 'a text of more than 65536 bytes, or with NUL in it, is a blob: add it with snip add')
  WHERE length(CAST(NEW.body AS BLOB)) > 65536 OR instr(NEW.body, char(0)) > 0;
  SELECT RAISE(ABORT, 'a title is one line of at most 1000 characters')
  WHERE length(NEW.title) > 1000 OR instr(NEW.title, char(10)) + instr(NEW.title, char(0)) > 0;
  SELECT RAISE(ABORT, 'a date is a text such as 2026-01-31 or 2026-01-31T18:30:00Z')
  WHERE NEW.created IS NOT NULL AND (
    typeof(NEW.created) <> 'text' OR julianday(NEW.created) IS NULL
    OR NEW.created NOT GLOB '[0-9][0-9][0-9][0-9]-*'
  );
  -- Without a title, the first line that is not blank.
  INSERT INTO snippet (id, kind, title, created_at, pinned, media_type)
  SELECT
    NEW.id,
    1,
    coalesce(
      NEW.title,
      CASE WHEN length(line) > 80 THEN rtrim(substr(line, 1, 79)) || '…' ELSE line END
    ),
    coalesce(
      CAST(round((julianday(NEW.created) - 2440587.5) * 86400000.0) AS INTEGER),
      NEW.created_at,
      CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    ),
    coalesce(NEW.pinned, 0),
    coalesce(NEW.media_type, 'text/plain')
  FROM (
    SELECT trim(replace(replace(substr(start, 1, instr(start, char(10)) - 1), char(9), ' '), char(13), ' '))
      AS line
    FROM (
      SELECT ltrim(coalesce(NEW.body, ''), char(32, 9, 10, 11, 12, 13)) || char(10) AS start
    )
  );
  -- Only the snippet's own table has given a row id since.
  INSERT INTO snippet_text (snippet_id, body)
  SELECT id, coalesce(NEW.body, '') FROM snippet WHERE id = (SELECT last_insert_rowid());
  UPDATE snippets SET tags = NEW.tags WHERE id = (SELECT last_insert_rowid());
END;

CREATE TRIGGER snippets_on_update INSTEAD OF UPDATE ON snippets
BEGIN
  SELECT RAISE(ABORT, 'title, body, note, tags, pinned, media_type and created can be changed here; the rest follows from them')
  WHERE NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind OR NEW.preview IS NOT OLD.preview
    OR NEW.modified IS NOT OLD.modified OR NEW.about IS NOT OLD.about OR NEW.bytes IS NOT OLD.bytes
    OR NEW.width IS NOT OLD.width OR NEW.height IS NOT OLD.height
    OR NEW.milliseconds IS NOT OLD.milliseconds OR NEW.sample_rate IS NOT OLD.sample_rate
    OR NEW.channels IS NOT OLD.channels OR NEW.modified_at IS NOT OLD.modified_at
    OR NEW.uuid IS NOT OLD.uuid OR NEW.revision IS NOT OLD.revision
    OR NEW.blob_id IS NOT OLD.blob_id
    OR (NEW.created IS NOT OLD.created AND NEW.created_at IS NOT OLD.created_at);
  SELECT RAISE(ABORT, 'only a text has a body: add other content as a new snippet with snip add')
  WHERE NEW.body IS NOT OLD.body AND OLD.kind <> 'text';
  SELECT RAISE(ABORT, 'a text has a body, which may be empty: write '''' for that')
  WHERE NEW.body IS NULL AND OLD.body IS NOT NULL;
  SELECT RAISE(ABORT, 'only an image or voice has a note: write it into the body')
  WHERE NEW.note IS NOT OLD.note AND OLD.kind = 'text';
  SELECT RAISE(ABORT, 'a note has at most 65536 bytes, and no NUL')
  WHERE length(CAST(NEW.note AS BLOB)) > 65536 OR instr(NEW.note, char(0)) > 0;
  SELECT RAISE(ABORT, 'a text of more than 65536 bytes, or with NUL in it, is a blob: write it with snip edit --stdin')
  WHERE length(CAST(NEW.body AS BLOB)) > 65536 OR instr(NEW.body, char(0)) > 0;
  SELECT RAISE(ABORT, 'a title is one line of at most 1000 characters')
  WHERE NEW.title IS NULL OR length(NEW.title) > 1000
    OR instr(NEW.title, char(10)) + instr(NEW.title, char(0)) > 0;
  SELECT RAISE(ABORT, 'a date is a text such as 2026-01-31 or 2026-01-31T18:30:00Z')
  WHERE NEW.created IS NOT OLD.created AND (
    typeof(NEW.created) <> 'text' OR julianday(NEW.created) IS NULL
    OR NEW.created NOT GLOB '[0-9][0-9][0-9][0-9]-*'
  );
  UPDATE snippet
  SET title = NEW.title,
    pinned = NEW.pinned,
    media_type = NEW.media_type,
    created_at = CASE
      WHEN NEW.created IS OLD.created THEN NEW.created_at
      ELSE CAST(round((julianday(NEW.created) - 2440587.5) * 86400000.0) AS INTEGER)
    END
  WHERE id = OLD.id AND (
    NEW.title COLLATE BINARY IS NOT OLD.title OR NEW.pinned IS NOT OLD.pinned
    OR NEW.media_type IS NOT OLD.media_type OR NEW.created IS NOT OLD.created
    OR NEW.created_at IS NOT OLD.created_at
  );
  -- A body takes the place of a blob; the blob goes with its last snippet.
  UPDATE snippet SET blob_id = NULL, text_encoding = NULL, byte_count = 0, preview = ''
  WHERE id = OLD.id AND blob_id IS NOT NULL AND NEW.body IS NOT OLD.body;
  UPDATE snippet_text SET body = NEW.body
  WHERE snippet_id = OLD.id AND NEW.body IS NOT OLD.body;
  INSERT INTO snippet_text (snippet_id, body)
  SELECT OLD.id, NEW.body WHERE NEW.body IS NOT NULL AND OLD.body IS NULL;
  DELETE FROM snippet_text
  WHERE snippet_id = OLD.id AND OLD.note IS NOT NULL AND coalesce(NEW.note, '') = '';
  UPDATE snippet_text SET body = NEW.note
  WHERE snippet_id = OLD.id AND NEW.note IS NOT OLD.note AND OLD.note IS NOT NULL;
  INSERT INTO snippet_text (snippet_id, body)
  SELECT OLD.id, NEW.note WHERE NEW.note <> '' AND OLD.note IS NULL;
  DELETE FROM snippet_tag
  WHERE snippet_id = OLD.id AND NEW.tags IS NOT OLD.tags AND tag_id NOT IN (
    WITH RECURSIVE part (word, rest) AS (
      SELECT '', replace(replace(NEW.tags, char(9), ' '), char(10), ' ') || ','
      UNION ALL
      SELECT trim(substr(rest, 1, instr(rest, ',') - 1)), substr(rest, instr(rest, ',') + 1)
      FROM part WHERE rest <> ''
    )
    SELECT tag.id FROM part JOIN tag ON tag.name = word
  );
  INSERT INTO tagged (snippet_id, tag)
  WITH RECURSIVE part (word, rest) AS (
    SELECT '', replace(replace(NEW.tags, char(9), ' '), char(10), ' ') || ','
    UNION ALL
    SELECT trim(substr(rest, 1, instr(rest, ',') - 1)), substr(rest, instr(rest, ',') + 1)
    FROM part WHERE rest <> ''
  )
  SELECT OLD.id, word FROM part WHERE word <> '' AND NEW.tags IS NOT OLD.tags;
END;

CREATE TRIGGER snippets_on_delete INSTEAD OF DELETE ON snippets
BEGIN
  UPDATE snippet
  SET deleted_at = CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
  WHERE id = OLD.id;
END;

-- What is in the trash, the last first.
CREATE VIEW trash AS
SELECT
  snippet.id,
  CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' WHEN 3 THEN 'voice' END AS kind,
  title,
  preview,
  strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at / 1000.0, 'unixepoch') AS deleted,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created,
  byte_count AS bytes,
  media_type,
  blob_id
FROM snippet
WHERE deleted_at IS NOT NULL
ORDER BY deleted_at DESC, snippet.id DESC;

CREATE TRIGGER trash_on_update INSTEAD OF UPDATE ON trash
BEGIN
  SELECT RAISE(ABORT, 'what is in the trash does not change: bring it back with SET deleted = NULL')
  WHERE NEW.deleted IS NOT NULL OR NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind
    OR NEW.title COLLATE BINARY IS NOT OLD.title OR NEW.preview IS NOT OLD.preview
    OR NEW.created IS NOT OLD.created OR NEW.bytes IS NOT OLD.bytes
    OR NEW.media_type IS NOT OLD.media_type OR NEW.blob_id IS NOT OLD.blob_id;
  UPDATE snippet SET deleted_at = NULL WHERE id = OLD.id;
END;

CREATE TRIGGER trash_on_insert INSTEAD OF INSERT ON trash
BEGIN
  SELECT RAISE(ABORT, 'a snippet gets into the trash by DELETE FROM snippets');
END;

CREATE TRIGGER trash_on_delete INSTEAD OF DELETE ON trash
BEGIN
  DELETE FROM snippet WHERE id = OLD.id;
END;

-- Texts in full: short ones, and those kept as blobs of UTF-8 up to 16 MiB. Where body is NULL, hint
-- says how to see the text.
CREATE VIEW texts AS
SELECT
  snippet.id,
  snippet.title,
  CASE
    WHEN blob_id IS NULL
    THEN coalesce((SELECT body FROM snippet_text WHERE snippet_id = snippet.id), '')
    WHEN lower(text_encoding) IN ('utf-8', 'us-ascii') AND byte_count <= 16777216 THEN (
      SELECT CAST(group_concat(data, '') AS TEXT)
      FROM (
        SELECT data FROM blob_chunk
        WHERE blob_chunk.id BETWEEN snippet.blob_id << 20 AND (snippet.blob_id << 20) + 1048575
        ORDER BY blob_chunk.id
      )
    )
  END AS body,
  byte_count AS bytes,
  coalesce(text_encoding, 'utf-8') AS encoding,
  CASE
    WHEN blob_id IS NULL THEN NULL
    WHEN lower(text_encoding) NOT IN ('utf-8', 'us-ascii')
    THEN 'in ' || text_encoding || ': see snip cat ' || snippet.id
    WHEN byte_count > 16777216 THEN 'too long: see snip cat ' || snippet.id
  END AS hint
FROM snippet
WHERE kind = 1 AND deleted_at IS NULL;

CREATE TRIGGER texts_on_update INSTEAD OF UPDATE ON texts
BEGIN
  SELECT RAISE(ABORT, 'title and body can be changed here')
  WHERE NEW.id IS NOT OLD.id OR NEW.bytes IS NOT OLD.bytes OR NEW.encoding IS NOT OLD.encoding
    OR NEW.hint IS NOT OLD.hint;
  SELECT RAISE(ABORT, 'a text has a body, which may be empty: write '''' for that')
  WHERE NEW.body IS NULL AND OLD.body IS NOT NULL;
  UPDATE snippets
  SET title = NEW.title, body = CASE WHEN NEW.body IS OLD.body THEN body ELSE NEW.body END
  WHERE id = OLD.id;
END;

-- One row for each tag that a snippet carries.
CREATE VIEW tagged AS
SELECT snippet_tag.snippet_id, tag.name AS tag
FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id;

CREATE TRIGGER tagged_on_insert INSTEAD OF INSERT ON tagged
BEGIN
  SELECT RAISE(ABORT, 'a tag has 1 to 100 characters on one line, and no comma')
  WHERE NEW.tag IS NULL OR length(trim(NEW.tag)) NOT BETWEEN 1 AND 100
    OR instr(NEW.tag, ',') + instr(NEW.tag, char(10)) + instr(NEW.tag, char(0)) > 0;
  INSERT INTO tag (name)
  SELECT trim(NEW.tag) WHERE NOT EXISTS (SELECT 1 FROM tag WHERE name = trim(NEW.tag));
  INSERT INTO snippet_tag (snippet_id, tag_id)
  SELECT NEW.snippet_id, id FROM tag
  WHERE name = trim(NEW.tag) AND NOT EXISTS (
    SELECT 1 FROM snippet_tag WHERE snippet_id = NEW.snippet_id AND tag_id = tag.id
  );
END;

CREATE TRIGGER tagged_on_delete INSTEAD OF DELETE ON tagged
BEGIN
  DELETE FROM snippet_tag
  WHERE snippet_id = OLD.snippet_id AND tag_id = (SELECT id FROM tag WHERE name = OLD.tag);
END;

-- Every tag with the number of snippets that carry it; what is in the trash is counted by itself,
-- since it is little.
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

CREATE TRIGGER tags_on_update INSTEAD OF UPDATE ON tags
BEGIN
  SELECT RAISE(ABORT, 'a tag has 1 to 100 characters on one line, and no comma')
  WHERE NEW.name IS NULL OR length(trim(NEW.name)) NOT BETWEEN 1 AND 100
    OR instr(NEW.name, ',') + instr(NEW.name, char(10)) + instr(NEW.name, char(0)) > 0;
  SELECT RAISE(ABORT, 'how many snippets carry a tag follows from their tags')
  WHERE NEW.snippets IS NOT OLD.snippets;
  UPDATE tag SET name = trim(NEW.name) WHERE name = OLD.name;
END;

CREATE TRIGGER tags_on_delete INSTEAD OF DELETE ON tags
BEGIN
  DELETE FROM tag WHERE name = OLD.name;
END;

-- What every blob is, how it is stored and which snippets use it.
CREATE VIEW blobs AS
SELECT
  blob.id,
  lower(hex(sha256)) AS sha256,
  byte_count AS bytes,
  (byte_count + chunk_size - 1) / chunk_size AS chunks,
  (SELECT group_concat(id, ', ') FROM snippet WHERE snippet.blob_id = blob.id) AS snippet_ids
FROM blob;

-- Blobs of one chunk, ready for the shell:
--   SELECT writefile('out.png', data) FROM small_blobs WHERE snippet_id = 7;
-- Programs that show any database look for a rowid to fetch one row by.
CREATE VIEW small_blobs AS
SELECT
  snippet.id AS rowid, snippet.id AS snippet_id, snippet.title, snippet.media_type, blob_chunk.data
FROM snippet
JOIN blob ON blob.id = snippet.blob_id AND blob.byte_count <= blob.chunk_size
JOIN blob_chunk ON blob_chunk.id = blob.id << 20
WHERE deleted_at IS NULL;

-- What is being captured, or was when the program ended; the last first.
CREATE VIEW captures AS
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
      SELECT max(blob_chunk.id) - (capture.id << 20) + 1 FROM blob_chunk
      WHERE blob_chunk.id BETWEEN capture.id << 20 AND (capture.id << 20) + 1048575
    ), 0) AS bytes,
  process
FROM capture JOIN staged_blob USING (id)
ORDER BY appended_at DESC;

-- The derivatives, the last used first.
CREATE VIEW derivatives AS
SELECT
  blob_id,
  recipe,
  version,
  byte_count AS bytes,
  strftime('%Y-%m-%dT%H:%M:%fZ', used_at / 1000.0, 'unixepoch') AS used
FROM derivative
ORDER BY used_at DESC;

-- The record of changes in words, the last change first.
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

PRAGMA user_version = 7;
