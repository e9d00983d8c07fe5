-- Words that people put on snippets.

CREATE TABLE tag (
  id INTEGER PRIMARY KEY
    CONSTRAINT tag_id_is_positive CHECK (id > 0),
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

-- As everywhere, triggers hold the references where foreign keys are off.
CREATE TRIGGER snippet_tag_before_insert BEFORE INSERT ON snippet_tag
WHEN NOT EXISTS (SELECT 1 FROM snippet WHERE id = NEW.snippet_id)
  OR NOT EXISTS (SELECT 1 FROM tag WHERE id = NEW.tag_id)
BEGIN
  SELECT RAISE(ABORT, 'a snippet and a tag must both be there to be joined');
END;

CREATE TRIGGER snippet_tag_before_update BEFORE UPDATE ON snippet_tag
BEGIN
  SELECT RAISE(ABORT, 'a tag is put on by INSERT and taken off by DELETE');
END;

-- INSERT OR REPLACE and UPDATE OR REPLACE would take the tag that is there off its snippets.
CREATE TRIGGER tag_before_insert BEFORE INSERT ON tag
WHEN EXISTS (SELECT 1 FROM tag WHERE id = NEW.id OR name = NEW.name)
BEGIN
  SELECT RAISE(ABORT, 'there is such a tag already');
END;

CREATE TRIGGER tag_before_rename BEFORE UPDATE OF name ON tag
WHEN EXISTS (SELECT 1 FROM tag WHERE name = NEW.name AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'there is such a tag already');
END;

CREATE TRIGGER tag_before_id_update BEFORE UPDATE OF id ON tag
WHEN OLD.id <> NEW.id
BEGIN
  SELECT RAISE(ABORT, 'the id of a tag never changes');
END;

CREATE TRIGGER tag_on_delete AFTER DELETE ON tag
BEGIN
  DELETE FROM snippet_tag WHERE tag_id = OLD.id;
END;

CREATE TRIGGER snippet_tag_on_snippet_delete AFTER DELETE ON snippet
BEGIN
  DELETE FROM snippet_tag WHERE snippet_id = OLD.id;
END;

-- A row shows its tags, so a tag put on or taken off is a change of the snippet.
CREATE TRIGGER snippet_tag_on_insert AFTER INSERT ON snippet_tag
BEGIN
  UPDATE snippet SET revision = revision + 1 WHERE id = NEW.snippet_id;
END;

-- A tag that nothing carries any more is gone.
CREATE TRIGGER snippet_tag_on_delete AFTER DELETE ON snippet_tag
BEGIN
  UPDATE snippet SET revision = revision + 1 WHERE id = OLD.snippet_id;
  DELETE FROM tag
  WHERE id = OLD.tag_id AND NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = OLD.tag_id);
END;

CREATE TRIGGER tag_on_rename AFTER UPDATE OF name ON tag
BEGIN
  UPDATE snippet SET revision = revision + 1
  WHERE id IN (SELECT snippet_id FROM snippet_tag WHERE tag_id = NEW.id);
END;

PRAGMA user_version = 2;
