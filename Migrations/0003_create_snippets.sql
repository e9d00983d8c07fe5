-- Snippets, the bodies of short texts, and the notes of images and voice.

-- One row for a snippet: what a list shows, never a payload.
CREATE TABLE snippet (
  id INTEGER PRIMARY KEY AUTOINCREMENT -- never given twice
    CONSTRAINT snippet_id_is_positive CHECK (id BETWEEN 1 AND 9007199254740991),
  uuid BLOB NOT NULL DEFAULT (randomblob(16)) UNIQUE
    CONSTRAINT uuid_has_16_bytes CHECK (length(uuid) = 16),
  kind INTEGER NOT NULL -- 1 text, 2 image, 3 voice
    CONSTRAINT kind_is_text_image_or_voice CHECK (kind IN (1, 2, 3)),
  title TEXT NOT NULL DEFAULT '' COLLATE NOCASE
    CONSTRAINT title_is_one_short_line
    CHECK (length(title) <= 1000 AND instr(title, char(10)) = 0 AND instr(title, char(0)) = 0),
  preview TEXT NOT NULL DEFAULT '' -- the beginning of a text, or of a note
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
  deleted_at INTEGER -- since when it is in the trash; NULL for one that is not. A DELETE is for good
    CONSTRAINT deleted_at_is_in_years_1_to_9999
    CHECK (deleted_at BETWEEN -62135596800000 AND 253402300799999),
  pinned INTEGER NOT NULL DEFAULT 0
    CONSTRAINT pinned_is_0_or_1 CHECK (pinned IN (0, 1)),
  revision INTEGER NOT NULL DEFAULT 1 -- goes up with every change
    CONSTRAINT revision_is_positive CHECK (revision BETWEEN 1 AND 9007199254740991),
  byte_count INTEGER NOT NULL DEFAULT 0
    CONSTRAINT byte_count_is_not_negative CHECK (byte_count BETWEEN 0 AND 9007199254740991),
  media_type TEXT NOT NULL DEFAULT 'text/plain'
    CONSTRAINT media_type_has_a_slash CHECK (media_type LIKE '_%/_%'),
  text_encoding TEXT -- of a text that is kept as a blob
    CONSTRAINT only_a_text_in_a_blob_has_an_encoding
    CHECK (text_encoding IS NULL OR (kind = 1 AND blob_id IS NOT NULL)),
  pixel_width INTEGER -- as displayed
    CONSTRAINT pixel_width_is_positive CHECK (pixel_width BETWEEN 1 AND 2147483647),
  pixel_height INTEGER -- as displayed
    CONSTRAINT pixel_height_is_positive CHECK (pixel_height BETWEEN 1 AND 2147483647),
  duration_ms INTEGER
    CONSTRAINT duration_is_not_negative CHECK (duration_ms BETWEEN 0 AND 9007199254740991),
  sample_rate INTEGER -- in hertz
    CONSTRAINT sample_rate_is_from_1_to_10000000 CHECK (sample_rate BETWEEN 1 AND 10000000),
  channel_count INTEGER
    CONSTRAINT channel_count_is_from_1_to_1024 CHECK (channel_count BETWEEN 1 AND 1024),
  irregular INTEGER NOT NULL DEFAULT 0 -- 1 for a picture that is cut short, a text with wrong bytes
    CONSTRAINT irregular_is_0_or_1 CHECK (irregular IN (0, 1)),
  blob_id INTEGER REFERENCES blob (id) ON DELETE RESTRICT,
  digest INTEGER -- by which damage is noticed; NULL since another program wrote, see below
    CONSTRAINT digest_has_62_bits
    CHECK (digest BETWEEN -4611686018427387904 AND 4611686018427387903),
  CONSTRAINT image_and_voice_have_a_blob CHECK (kind = 1 OR blob_id IS NOT NULL)
) STRICT;

-- Every order ends in the unique id. What filters look at follows, so that a list is counted and
-- cut into windows without touching the table. A list holds either what is in the trash or what is
-- not, and walks an index that holds the same, so that a full trash costs a list nothing. The index
-- also holds deleted_at, though it says the same of every entry, so that SQLite need not look at the
-- table for it.
CREATE INDEX snippet_by_created ON snippet (created_at, id, kind, pinned, byte_count, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_by_modified
  ON snippet (modified_at, id, kind, pinned, created_at, byte_count, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_by_title
  ON snippet (title, id, kind, pinned, created_at, byte_count, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_by_size ON snippet (byte_count, id, kind, pinned, created_at, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX snippet_trash_by_deleted
  ON snippet (deleted_at, id, kind, pinned, created_at, byte_count) WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_created
  ON snippet (created_at, id, kind, pinned, byte_count, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_modified
  ON snippet (modified_at, id, kind, pinned, created_at, byte_count, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_title
  ON snippet (title, id, kind, pinned, created_at, byte_count, deleted_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_trash_by_size
  ON snippet (byte_count, id, kind, pinned, created_at, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX snippet_by_blob ON snippet (blob_id) WHERE blob_id IS NOT NULL;

-- The digest is the first 61 bits of a SHA-256, plus the revision, the three dates and pinned. The
-- hash is over all other columns but the id, and over the body in snippet_text. Built-in SQL cannot
-- compute it. So a change of what is added carries the digest on, and a change of what is hashed, by
-- another program than the library, leaves NULL, for which the library gives a new one with its next
-- changes.
CREATE INDEX snippet_without_digest ON snippet (id) WHERE digest IS NULL;

-- The body of a short text; a longer one, or one in another encoding, is a blob. Of an image or
-- voice, the note: what people write about it. One without a note has no row here.
CREATE TABLE snippet_text (
  snippet_id INTEGER PRIMARY KEY REFERENCES snippet (id) ON DELETE CASCADE,
  body TEXT NOT NULL
    CONSTRAINT body_is_at_most_64_kibibytes CHECK (length(CAST(body AS BLOB)) <= 65536)
    CONSTRAINT body_has_no_nul CHECK (instr(body, char(0)) = 0) -- SQL's functions stop there
) STRICT;

-- Finds an equal text by its size and both its ends, all built in, so that every writer keeps it
-- true.
CREATE INDEX snippet_text_by_content
  ON snippet_text (length(CAST(body AS BLOB)), substr(body, 1, 32), substr(body, -32));

-- What the preview of a short text or a note may be: this one, with each run of blanks as one; or
-- another that begins with the same letters, as the library makes it of characters and blanks that
-- SQL does not know.
CREATE VIEW text_beginnings AS
SELECT
  snippet_id,
  rtrim(substr(trim(
    replace(replace(replace(
      replace(replace(replace(substr(body, 1, 1000), char(9), ' '), char(10), ' '), char(13), ' '),
      ' ', char(30, 31)), char(31, 30), ''), char(30, 31), ' ')
  ), 1, 200)) AS preview,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(substr(body, 1, 16384), ' ', ''),
      char(9), ''), char(10), ''), char(11), ''), char(12), ''), char(13), ''), char(133), ''),
      char(160), ''), char(5760), ''), char(8192), ''), char(8193), ''), char(8194), ''),
      char(8195), ''), char(8196), ''), char(8197), ''), char(8198), ''), char(8199), ''),
      char(8200), ''), char(8201), ''), char(8202), ''), char(8232), ''), char(8233), ''),
      char(8239), ''), char(8287), ''), char(12288), '') AS letters
FROM snippet_text;

-- The shell leaves foreign keys off unless told otherwise, so triggers hold every reference too.
CREATE TRIGGER blob_before_delete BEFORE DELETE ON blob
WHEN EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'a blob stays while a snippet uses it');
END;

CREATE TRIGGER snippet_before_insert BEFORE INSERT ON snippet
BEGIN
  SELECT RAISE(ABORT, 'there is such a snippet already: change it by UPDATE')
  WHERE EXISTS (SELECT 1 FROM snippet WHERE id = NEW.id OR uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'the id is too far ahead of the last: leave it out')
  WHERE NEW.id > 16777216
    AND NEW.id > 16777216 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'snippet'), 0);
  SELECT RAISE(ABORT, 'the revision is too high: leave it out') WHERE NEW.revision > 16777216;
  SELECT RAISE(ABORT, 'the preview of a text follows its body')
  WHERE NEW.preview <> '' AND NEW.byte_count = 0;
  SELECT RAISE(ABORT, 'the blob of a snippet must be there and have the size that the snippet tells')
  WHERE NEW.blob_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM blob WHERE id = NEW.blob_id AND byte_count = NEW.byte_count);
END;

CREATE TRIGGER snippet_on_identity_update BEFORE UPDATE OF id, uuid, kind, revision ON snippet
WHEN OLD.id <> NEW.id OR OLD.uuid <> NEW.uuid OR OLD.kind <> NEW.kind
  OR NEW.revision < OLD.revision OR NEW.revision > OLD.revision + 16777216
BEGIN
  SELECT RAISE(ABORT, 'id, uuid and kind of a snippet never change, its revision only goes up, step by step');
END;

CREATE TRIGGER snippet_before_content_update BEFORE UPDATE OF blob_id, byte_count, preview ON snippet
BEGIN
  SELECT RAISE(ABORT, 'a text is kept either in snippet_text or in a blob, not in both')
  WHERE NEW.blob_id IS NOT NULL AND NEW.kind = 1
    AND EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = NEW.id);
  SELECT RAISE(ABORT, 'the blob of a snippet must be there and have the size that the snippet tells')
  WHERE NEW.blob_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM blob WHERE id = NEW.blob_id AND byte_count = NEW.byte_count);
  SELECT RAISE(ABORT, 'the size of a text follows its body')
  WHERE NEW.kind = 1 AND EXISTS (
    SELECT 1 FROM snippet_text
    WHERE snippet_id = NEW.id AND length(CAST(body AS BLOB)) <> NEW.byte_count
  );
  SELECT RAISE(ABORT, 'the preview of an image or voice follows its note')
  WHERE NEW.preview <> OLD.preview AND NEW.preview <> '' AND NEW.kind <> 1
    AND NOT EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = NEW.id);
  SELECT RAISE(ABORT, 'the preview of a text follows its body')
  WHERE NEW.preview <> OLD.preview AND (
    (NEW.preview <> '' AND NEW.byte_count = 0)
    OR EXISTS (
      SELECT 1 FROM text_beginnings AS text
      WHERE snippet_id = NEW.id AND NEW.preview <> text.preview AND (
        NEW.preview = ''
        OR replace(NEW.preview, ' ', '')
          <> substr(letters, 1, length(replace(NEW.preview, ' ', '')))
      )
    )
  );
  -- Built-in SQL cannot decode a blob, so its preview is taken as it comes with the blob.
  SELECT RAISE(ABORT, 'the preview of a text in a blob changes only with the blob')
  WHERE NEW.preview <> OLD.preview AND NEW.kind = 1
    AND NEW.blob_id IS NOT NULL AND NEW.blob_id IS OLD.blob_id
    AND NEW.text_encoding IS OLD.text_encoding;
END;

CREATE TRIGGER snippet_on_insert AFTER INSERT ON snippet
BEGIN
  INSERT INTO change (snippet_id, event, in_trash) VALUES (NEW.id, 1, NEW.deleted_at IS NOT NULL);
END;

-- One trigger records and raises the revision: its own UPDATE does not fire it again, and what gives
-- a digest does not at all. With recursive_triggers on it does, which records that one too; it
-- misleads nobody, since the first change of a snippet tells what the snippet was.
--
-- A move to the trash or back does not change the content, so the date of the last change stays.
CREATE TRIGGER snippet_on_update
AFTER UPDATE OF
  id, uuid, kind, title, preview, created_at, modified_at, deleted_at, pinned, revision, byte_count,
  media_type, text_encoding, pixel_width, pixel_height, duration_ms, sample_rate, channel_count,
  irregular, blob_id
ON snippet
BEGIN
  INSERT INTO change (
    snippet_id, event, kind, pinned, created_at, modified_at, title, byte_count, deleted_at,
    in_trash
  )
  VALUES (
    OLD.id, 2, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title, OLD.byte_count,
    OLD.deleted_at, NEW.deleted_at IS NOT NULL
  );
  UPDATE snippet
  SET revision = OLD.revision + 1,
    modified_at = CASE
      WHEN NEW.modified_at <> OLD.modified_at OR NEW.deleted_at IS NOT OLD.deleted_at
      THEN NEW.modified_at
      ELSE CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    END
  WHERE NEW.revision = OLD.revision AND id = NEW.id;
  UPDATE snippet
  SET digest = CASE
    WHEN (
      NEW.uuid, NEW.kind, NEW.title COLLATE BINARY, NEW.preview, NEW.byte_count, NEW.media_type,
      NEW.text_encoding, NEW.pixel_width, NEW.pixel_height, NEW.duration_ms, NEW.sample_rate,
      NEW.channel_count, NEW.irregular, NEW.blob_id
    ) IS (
      OLD.uuid, OLD.kind, OLD.title, OLD.preview, OLD.byte_count, OLD.media_type,
      OLD.text_encoding, OLD.pixel_width, OLD.pixel_height, OLD.duration_ms, OLD.sample_rate,
      OLD.channel_count, OLD.irregular, OLD.blob_id
    )
    THEN OLD.digest + (revision - OLD.revision) + (created_at - OLD.created_at)
      + (modified_at - OLD.modified_at) + coalesce(deleted_at, 0) - coalesce(OLD.deleted_at, 0)
      + (pinned - OLD.pinned)
  END
  WHERE NEW.digest = OLD.digest AND id = NEW.id;
END;

-- The last reference takes the blob with it, in the same transaction, and a text that is left empty
-- loses its preview.
CREATE TRIGGER snippet_on_blob_update AFTER UPDATE OF blob_id ON snippet
WHEN OLD.blob_id IS NOT NULL AND OLD.blob_id IS NOT NEW.blob_id
BEGIN
  UPDATE snippet SET preview = '' WHERE id = NEW.id AND byte_count = 0 AND preview <> '';
  DELETE FROM blob
  WHERE id = OLD.blob_id AND NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.blob_id);
END;

CREATE TRIGGER snippet_on_delete AFTER DELETE ON snippet
BEGIN
  INSERT INTO change (
    snippet_id, event, kind, pinned, created_at, modified_at, title, byte_count, deleted_at
  )
  VALUES (
    OLD.id, 3, OLD.kind, OLD.pinned, OLD.created_at, OLD.modified_at, OLD.title, OLD.byte_count,
    OLD.deleted_at
  );
  DELETE FROM snippet_text WHERE snippet_id = OLD.id;
  DELETE FROM blob
  WHERE id = OLD.blob_id AND NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = OLD.blob_id);
END;

CREATE TRIGGER snippet_text_before_insert BEFORE INSERT ON snippet_text
BEGIN
  SELECT RAISE(ABORT, 'a body belongs to a text without a blob, or is the note of an image or voice')
  WHERE NOT EXISTS (
    SELECT 1 FROM snippet WHERE id = NEW.snippet_id AND (kind <> 1 OR blob_id IS NULL)
  );
  SELECT RAISE(ABORT, 'an empty note is none: leave it out')
  WHERE NEW.body = '' AND EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id AND kind <> 1);
  SELECT RAISE(ABORT, 'the snippet has a body already: change it by UPDATE')
  WHERE EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = NEW.snippet_id);
END;

CREATE TRIGGER snippet_text_before_update BEFORE UPDATE ON snippet_text
BEGIN
  SELECT RAISE(ABORT, 'a body stays with its snippet') WHERE OLD.snippet_id <> NEW.snippet_id;
  SELECT RAISE(ABORT, 'an empty note is none: delete it')
  WHERE NEW.body = '' AND EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id AND kind <> 1);
END;

-- Preview, and the size of a text, follow the body, whatever writes it; a row that already fits is
-- left alone. One that shows nothing of a note does not fit: its digest is not over the note.
CREATE TRIGGER snippet_text_on_insert AFTER INSERT ON snippet_text
BEGIN
  UPDATE snippet
  SET byte_count = CASE kind WHEN 1 THEN length(CAST(NEW.body AS BLOB)) ELSE byte_count END,
    preview = (SELECT preview FROM text_beginnings WHERE snippet_id = NEW.snippet_id),
    digest = NULL
  WHERE id = NEW.snippet_id AND (
    CASE kind WHEN 1 THEN byte_count <> length(CAST(NEW.body AS BLOB)) ELSE preview = '' END
    OR EXISTS (
      SELECT 1 FROM text_beginnings AS text
      WHERE snippet_id = NEW.snippet_id AND snippet.preview <> text.preview AND (
        snippet.preview = ''
        OR replace(snippet.preview, ' ', '')
          <> substr(letters, 1, length(replace(snippet.preview, ' ', '')))
      )
    )
  );
END;

CREATE TRIGGER snippet_text_on_update AFTER UPDATE ON snippet_text
BEGIN
  UPDATE snippet
  SET byte_count = CASE kind WHEN 1 THEN length(CAST(NEW.body AS BLOB)) ELSE byte_count END,
    preview = (SELECT preview FROM text_beginnings WHERE snippet_id = NEW.snippet_id),
    digest = NULL
  WHERE id = NEW.snippet_id;
END;

CREATE TRIGGER snippet_text_on_delete AFTER DELETE ON snippet_text
BEGIN
  UPDATE snippet
  SET byte_count = CASE kind WHEN 1 THEN 0 ELSE byte_count END, preview = '', digest = NULL
  WHERE id = OLD.snippet_id;
END;

PRAGMA user_version = 3;
