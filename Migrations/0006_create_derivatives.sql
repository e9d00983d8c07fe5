-- What was computed from blobs, kept so that it need not be computed again.

-- A cache: any row may be deleted at any time, and all go with their blob.
CREATE TABLE derivative (
  id INTEGER PRIMARY KEY
    CONSTRAINT derivative_id_is_positive CHECK (id BETWEEN 1 AND 9007199254740991),
  blob_id INTEGER NOT NULL REFERENCES blob (id) ON DELETE CASCADE,
  recipe TEXT NOT NULL -- how it was computed
    CONSTRAINT recipe_is_a_short_name
    CHECK (length(recipe) BETWEEN 1 AND 100 AND instr(recipe, char(10)) = 0
      AND instr(recipe, char(0)) = 0),
  version INTEGER NOT NULL, -- of the recipe; one of another version counts for nothing
  used_at INTEGER NOT NULL -- milliseconds since 1970, UTC; some minutes late
    DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))
    CONSTRAINT used_at_is_in_years_1_to_9999
    CHECK (used_at BETWEEN -62135596800000 AND 253402300799999),
  byte_count INTEGER NOT NULL
    CONSTRAINT derivative_byte_count_is_that_of_its_data CHECK (byte_count = length(data)),
  data BLOB NOT NULL,
  digest INTEGER -- the first 61 bits of the SHA-256 of data; NULL where another program wrote it
    CONSTRAINT derivative_digest_has_61_bits CHECK (digest BETWEEN 0 AND 2305843009213693951),
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
  SELECT RAISE(ABORT, 'the id is too far ahead of the last: leave it out')
  WHERE NEW.id > 16777216 AND NEW.id > 16777216 + coalesce((SELECT max(id) FROM derivative), 0);
END;

CREATE TRIGGER derivative_before_update
BEFORE UPDATE OF id, blob_id, recipe, version, byte_count, data, digest ON derivative
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

PRAGMA user_version = 6;
