-- Words that people put on snippets.

CREATE TABLE tag (
  id INTEGER PRIMARY KEY
    CONSTRAINT tag_id_is_positive CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT NOT NULL COLLATE NOCASE UNIQUE
    CONSTRAINT tag_name_is_one_short_word_group
    CHECK (length(name) BETWEEN 1 AND 100 AND name = trim(name)
      AND instr(name, char(10)) = 0 AND instr(name, ',') = 0 AND instr(name, char(0)) = 0)
) STRICT;

CREATE TABLE snippet_tag (
  snippet_id INTEGER NOT NULL REFERENCES snippet (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  PRIMARY KEY (snippet_id, tag_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX snippet_tag_by_tag ON snippet_tag (tag_id, snippet_id);

-- INSERT OR REPLACE and UPDATE OR REPLACE would take the tag that is there off its snippets.
CREATE TRIGGER tag_before_insert BEFORE INSERT ON tag
BEGIN
  SELECT RAISE(ABORT, 'there is such a tag already')
  WHERE EXISTS (SELECT 1 FROM tag WHERE id = NEW.id OR name = NEW.name);
  SELECT RAISE(ABORT, 'the id is too far ahead of the last: leave it out')
  WHERE NEW.id > 16777216 AND NEW.id > 16777216 + coalesce((SELECT max(id) FROM tag), 0);
END;

CREATE TRIGGER tag_before_id_update BEFORE UPDATE OF id ON tag
WHEN OLD.id <> NEW.id
BEGIN
  SELECT RAISE(ABORT, 'the id of a tag never changes');
END;

CREATE TRIGGER tag_before_rename BEFORE UPDATE OF name ON tag
WHEN EXISTS (SELECT 1 FROM tag WHERE name = NEW.name AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'there is such a tag already');
END;

CREATE TRIGGER tag_on_rename AFTER UPDATE OF name ON tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 5, OLD.name FROM snippet_tag WHERE tag_id = NEW.id AND NEW.name <> OLD.name;
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 4, NEW.name FROM snippet_tag WHERE tag_id = NEW.id AND NEW.name <> OLD.name;
  UPDATE snippet SET revision = revision + 1
  WHERE id IN (SELECT snippet_id FROM snippet_tag WHERE tag_id = NEW.id);
END;

-- A tag that is deleted itself is recorded for each of its snippets first, while it has a name.
CREATE TRIGGER tag_before_delete BEFORE DELETE ON tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT snippet_id, 5, OLD.name FROM snippet_tag WHERE tag_id = OLD.id;
END;

CREATE TRIGGER tag_on_delete AFTER DELETE ON tag
BEGIN
  DELETE FROM snippet_tag WHERE tag_id = OLD.id;
END;

-- The change is recorded before the row is there: afterwards nobody could tell what INSERT OR REPLACE
-- has found. As everywhere, triggers hold the references where foreign keys are off.
CREATE TRIGGER snippet_tag_before_insert BEFORE INSERT ON snippet_tag
BEGIN
  SELECT RAISE(ABORT, 'a snippet and a tag must both be there to be joined')
  WHERE NOT EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id)
    OR NOT EXISTS (SELECT 1 FROM tag WHERE id = NEW.tag_id);
  INSERT INTO change (snippet_id, event, tag)
  SELECT NEW.snippet_id, 4, name FROM tag
  WHERE id = NEW.tag_id AND NOT EXISTS (
    SELECT 1 FROM snippet_tag WHERE snippet_id = NEW.snippet_id AND tag_id = NEW.tag_id
  );
END;

CREATE TRIGGER snippet_tag_before_update BEFORE UPDATE ON snippet_tag
BEGIN
  SELECT RAISE(ABORT, 'a tag is put on by INSERT and taken off by DELETE');
END;

-- A row shows its tags, so a tag put on or taken off is a change of the snippet.
CREATE TRIGGER snippet_tag_on_insert AFTER INSERT ON snippet_tag
BEGIN
  UPDATE snippet SET revision = revision + 1 WHERE id = NEW.snippet_id;
END;

-- A tag that no snippet carries any more is deleted.
CREATE TRIGGER snippet_tag_on_delete AFTER DELETE ON snippet_tag
BEGIN
  INSERT INTO change (snippet_id, event, tag)
  SELECT OLD.snippet_id, 5, name FROM tag WHERE id = OLD.tag_id;
  UPDATE snippet SET revision = revision + 1 WHERE id = OLD.snippet_id;
  DELETE FROM tag
  WHERE id = OLD.tag_id AND NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = OLD.tag_id);
END;

CREATE TRIGGER snippet_tag_on_snippet_delete AFTER DELETE ON snippet
BEGIN
  DELETE FROM snippet_tag WHERE snippet_id = OLD.id;
END;

PRAGMA user_version = 4;
