-- The record of every change, whatever program makes it: this library, another process or the shell.
--
-- The triggers of the tables that follow write it, in built-in SQL only, so that no writer can forget
-- to. A reader remembers the number of the last change that it knows, and reads on from there.

-- What was changed, and what the snippet was before; what it is now stands in the table snippet.
--
-- The numbers have no gaps. A reader that finds one, also at the end where sqlite_sequence knows a
-- higher number, has fallen behind or sees a restored backup, and must read everything again.
CREATE TABLE change (
  number INTEGER PRIMARY KEY AUTOINCREMENT -- in the order of the commits
    CONSTRAINT change_number_is_positive CHECK (number BETWEEN 1 AND 9007199254740991),
  snippet_id INTEGER NOT NULL,
  event INTEGER NOT NULL -- 1 inserted, 2 updated, 3 deleted, 4 tag put on, 5 tag taken off
    CONSTRAINT event_is_from_1_to_5 CHECK (event BETWEEN 1 AND 5),
  tag TEXT COLLATE NOCASE -- its name, since the id of a tag can be given again
    CONSTRAINT only_the_events_4_and_5_have_a_tag CHECK ((tag IS NULL) = (event < 4)),
  kind INTEGER, -- this and what follows up to deleted_at: before, of the events 2 and 3
  pinned INTEGER,
  created_at INTEGER,
  modified_at INTEGER,
  title TEXT,
  byte_count INTEGER,
  deleted_at INTEGER -- NULL also for what was not in the trash
    CONSTRAINT only_the_events_2_and_3_tell_of_the_trash_before
    CHECK (deleted_at IS NULL OR event IN (2, 3)),
  in_trash INTEGER NOT NULL DEFAULT 0 -- after, of the events 1 and 2
    CONSTRAINT in_trash_is_0_or_1 CHECK (in_trash IN (0, 1)),
  CONSTRAINT only_the_events_2_and_3_tell_what_was_before
    CHECK (event IN (2, 3) = (
      kind IS NOT NULL AND pinned IS NOT NULL AND created_at IS NOT NULL
      AND modified_at IS NOT NULL AND title IS NOT NULL AND byte_count IS NOT NULL
    ))
) STRICT;

-- A number that SQLite gives is not known here yet, and is negative.
CREATE TRIGGER change_before_insert BEFORE INSERT ON change
WHEN NEW.number > 0
BEGIN
  SELECT RAISE(ABORT, 'a change gets the next number: leave it out');
END;

-- The record keeps the last 65,536 changes, and up to 1,023 more: each 1,024th change removes the
-- oldest.
CREATE TRIGGER change_on_insert AFTER INSERT ON change
WHEN NEW.number & 1023 = 0
BEGIN
  DELETE FROM change WHERE number <= NEW.number - 65536;
END;

CREATE TRIGGER change_before_update BEFORE UPDATE ON change
BEGIN
  SELECT RAISE(ABORT, 'what was recorded never changes');
END;

PRAGMA user_version = 2;
