-- Origins: the files that snippets came from, and those that they were written to.
--
-- A file and a snippet agreed when the origin was written, and it tells what both were then. So an
-- import knows what has changed since, on either side, and an export what it may replace. A file
-- belongs to one snippet. A snippet may have several files: in the folder that it came from and in
-- one that it was exported to; and one picture that lies in a folder twice is one snippet, while two
-- equal texts are two, since either may be edited. Rows show nothing of it, so it is in no change.

-- The folders that were imported or exported to. One that no origin is in any more is deleted.
CREATE TABLE origin_folder (
  id INTEGER PRIMARY KEY
    CONSTRAINT origin_folder_id_is_positive CHECK (id BETWEEN 1 AND 9007199254740991),
  path TEXT NOT NULL UNIQUE -- without links; a folder that was moved gets its new path by UPDATE.
    -- That of an archive ends with a slash. '//' has the files that were given by themselves.
    CONSTRAINT origin_folder_path_is_absolute
    CHECK (substr(path, 1, 1) = '/' AND instr(path, char(0)) = 0 AND length(path) <= 4096),
  imported INTEGER NOT NULL DEFAULT 0 -- 1 once it was imported; 0 where it was only exported to
    CONSTRAINT imported_is_0_or_1 CHECK (imported IN (0, 1))
) STRICT;

CREATE TABLE origin (
  folder_id INTEGER NOT NULL REFERENCES origin_folder (id) ON DELETE CASCADE,
  path TEXT NOT NULL -- of the file, below the folder; never out of it
    CONSTRAINT origin_path_stays_below_its_folder
    CHECK (
      length(path) BETWEEN 1 AND 4096 AND instr(path, char(0)) = 0
      AND instr('/' || path || '/', '//') = 0 AND instr('/' || path || '/', '/./') = 0
      AND instr('/' || path || '/', '/../') = 0
    ),
  snippet_id INTEGER NOT NULL REFERENCES snippet (id) ON DELETE CASCADE,
  modified_ns INTEGER NOT NULL, -- of the file: nanoseconds since 1970, UTC
  byte_count INTEGER NOT NULL -- of the file
    CONSTRAINT origin_byte_count_is_not_negative CHECK (byte_count BETWEEN 0 AND 9007199254740991),
  sha256 BLOB NOT NULL -- of the file
    CONSTRAINT origin_sha256_has_32_bytes CHECK (length(sha256) = 32),
  content_sha256 BLOB -- of the snippet's content, where the file says more; NULL where it is the same
    CONSTRAINT origin_content_sha256_has_32_bytes CHECK (length(content_sha256) = 32),
  note TEXT -- what the file said besides its content, as JSON: title, tags, pinned; NULL for nothing
    CONSTRAINT origin_note_is_an_object CHECK (note GLOB '{*}'),
  tagged_folders INTEGER NOT NULL DEFAULT 0 -- the innermost of its folders that became tags: how many
    CONSTRAINT origin_tagged_folders_is_not_negative CHECK (tagged_folders BETWEEN 0 AND 4096),
  PRIMARY KEY (folder_id, path)
) STRICT, WITHOUT ROWID;

CREATE INDEX origin_by_snippet ON origin (snippet_id);

-- Finds the snippet of a file by the bytes of the file, in whatever folder it is now. Only where the file
-- says more than the content: the others are found by their content.
CREATE INDEX origin_by_file ON origin (sha256, snippet_id) WHERE content_sha256 IS NOT NULL;

-- The files in imported folders whose snippets were deleted for good, as they were then: an export
-- that is asked to takes them out of the folder, where they would come back with the next import. One
-- that was imported again is forgotten, and a purge forgets all. The path is whole, since the folder
-- may have no origin any more.
CREATE TABLE deleted_file (
  path TEXT PRIMARY KEY NOT NULL
    CONSTRAINT deleted_file_path_is_absolute
    CHECK (substr(path, 1, 1) = '/' AND instr(path, char(0)) = 0 AND length(path) <= 8193),
  snippet_id INTEGER NOT NULL -- what the snippet was
    CONSTRAINT deleted_file_had_a_snippet CHECK (snippet_id BETWEEN 1 AND 9007199254740991),
  sha256 BLOB NOT NULL -- of the file
    CONSTRAINT deleted_file_sha256_has_32_bytes CHECK (length(sha256) = 32)
) STRICT, WITHOUT ROWID;

-- As everywhere, triggers hold the references where foreign keys are off, and nothing is replaced.
CREATE TRIGGER origin_folder_before_insert BEFORE INSERT ON origin_folder
BEGIN
  SELECT RAISE(ABORT, 'there is such a folder of origins already')
  WHERE EXISTS (SELECT 1 FROM origin_folder WHERE id = NEW.id OR path = NEW.path);
  SELECT RAISE(ABORT, 'the id is too far ahead of the last: leave it out')
  WHERE NEW.id > 16777216 AND NEW.id > 16777216 + coalesce((SELECT max(id) FROM origin_folder), 0);
END;

CREATE TRIGGER origin_folder_before_update BEFORE UPDATE ON origin_folder
BEGIN
  SELECT RAISE(ABORT, 'the id of a folder of origins never changes') WHERE NEW.id <> OLD.id;
  SELECT RAISE(ABORT, 'there is such a folder of origins already')
  WHERE EXISTS (SELECT 1 FROM origin_folder WHERE path = NEW.path AND id <> OLD.id);
END;

CREATE TRIGGER origin_folder_on_delete AFTER DELETE ON origin_folder
BEGIN
  DELETE FROM origin WHERE folder_id = OLD.id;
END;

CREATE TRIGGER origin_before_insert BEFORE INSERT ON origin
BEGIN
  SELECT RAISE(ABORT, 'an origin needs its snippet and its folder')
  WHERE NOT EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id)
    OR NOT EXISTS (SELECT 1 FROM origin_folder WHERE id = NEW.folder_id);
  SELECT RAISE(ABORT, 'the file is the origin of a snippet already: change it by UPDATE')
  WHERE EXISTS (SELECT 1 FROM origin WHERE folder_id = NEW.folder_id AND path = NEW.path);
END;

CREATE TRIGGER origin_before_update BEFORE UPDATE ON origin
BEGIN
  SELECT RAISE(ABORT, 'an origin needs its snippet and its folder')
  WHERE NOT EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id)
    OR NOT EXISTS (SELECT 1 FROM origin_folder WHERE id = NEW.folder_id);
  SELECT RAISE(ABORT, 'the file is the origin of a snippet already: change it by UPDATE')
  WHERE (NEW.folder_id <> OLD.folder_id OR NEW.path <> OLD.path)
    AND EXISTS (SELECT 1 FROM origin WHERE folder_id = NEW.folder_id AND path = NEW.path);
END;

CREATE TRIGGER origin_on_move AFTER UPDATE OF folder_id ON origin
WHEN NEW.folder_id <> OLD.folder_id
BEGIN
  DELETE FROM origin_folder
  WHERE id = OLD.folder_id AND NOT EXISTS (SELECT 1 FROM origin WHERE folder_id = OLD.folder_id);
END;

CREATE TRIGGER origin_on_delete AFTER DELETE ON origin
BEGIN
  DELETE FROM origin_folder
  WHERE id = OLD.folder_id AND NOT EXISTS (SELECT 1 FROM origin WHERE folder_id = OLD.folder_id);
END;

-- Before, since foreign keys may take the origins away first. What was never written, files of archives
-- and those that were given one by one are in no folder that an export fills. The functions for JSON
-- are not to be used in a schema that is not trusted.
CREATE TRIGGER origin_before_snippet_delete BEFORE DELETE ON snippet
BEGIN
  INSERT INTO deleted_file (path, snippet_id, sha256)
  SELECT rtrim(origin_folder.path, '/') || '/' || origin.path, OLD.id, sha256
  FROM origin INDEXED BY origin_by_snippet
  JOIN origin_folder ON origin_folder.id = folder_id
  WHERE snippet_id = OLD.id AND imported = 1
    AND (origin_folder.path = '/' OR substr(origin_folder.path, -1) <> '/')
    AND coalesce(note, '') NOT GLOB '*"unwritten":true*'
    AND coalesce(note, '') NOT GLOB '*"item":true*'
  ON CONFLICT (path) DO UPDATE SET snippet_id = excluded.snippet_id, sha256 = excluded.sha256;
END;

CREATE TRIGGER origin_on_insert AFTER INSERT ON origin
WHEN EXISTS (SELECT 1 FROM deleted_file)
BEGIN
  DELETE FROM deleted_file WHERE path = (
    SELECT rtrim(origin_folder.path, '/') || '/' || NEW.path FROM origin_folder
    WHERE id = NEW.folder_id
  );
END;

CREATE TRIGGER origin_on_snippet_delete AFTER DELETE ON snippet
BEGIN
  DELETE FROM origin WHERE snippet_id = OLD.id;
END;

-- Where snippets came from and were written to. To forget a file: DELETE FROM origins WHERE file = …
CREATE VIEW origins AS
SELECT
  snippet_id,
  title,
  rtrim(origin_folder.path, '/') || '/' || origin.path AS file,
  origin_folder.path AS folder,
  origin.path AS path,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_ns / 1000000000.0, 'unixepoch') AS modified,
  origin.byte_count AS bytes,
  lower(hex(sha256)) AS sha256
FROM origin
JOIN origin_folder ON origin_folder.id = folder_id
JOIN snippet ON snippet.id = snippet_id;

CREATE TRIGGER origins_on_delete INSTEAD OF DELETE ON origins
BEGIN
  DELETE FROM origin
  WHERE path = OLD.path AND folder_id = (SELECT id FROM origin_folder WHERE path = OLD.folder);
END;

PRAGMA user_version = 8;
