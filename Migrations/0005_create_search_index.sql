-- The search index: the words of every snippet, made alike in case, accents and width.
--
-- The library fills it and follows the record of changes with it, so that what the shell writes is
-- found too. What it lacks is looked at directly, so a search never misses anything. Nothing is lost
-- with it: to have it made anew, UPDATE search_state SET unindexed_from = 1.

-- Words and signs stand apart by blanks, and so do the characters of scripts that write without
-- them: so any text is found from any of its words, signs or such characters on.
CREATE VIRTUAL TABLE search_index USING fts5(
  title, tags, body,
  prefix = '1 2',
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- One row: how much of the store the index holds.
CREATE TABLE search_state (
  id INTEGER PRIMARY KEY
    CONSTRAINT search_state_is_one_row CHECK (id = 1),
  change_number INTEGER NOT NULL -- the last change that it has followed
    CONSTRAINT followed_change_is_none_or_one
    CHECK (change_number BETWEEN 0 AND 9007199254740991),
  unindexed_from INTEGER -- snippets from this id on are not in it yet; NULL when all are
    CONSTRAINT unindexed_from_is_an_id CHECK (unindexed_from BETWEEN 1 AND 9007199254740992),
  rules INTEGER NOT NULL -- the version of the rules that split texts into words
    CONSTRAINT rules_are_a_small_number CHECK (rules BETWEEN 0 AND 2147483647)
) STRICT;

INSERT INTO search_state (id, change_number, unindexed_from, rules) VALUES (1, 0, 1, 0);

PRAGMA user_version = 5;
