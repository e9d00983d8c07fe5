-- Synchronization: where a store meets others, and the entry of each snippet as devices last agreed
-- on it.
--
-- Only a synchronization writes here, and a store that has not joined a repository has no row here.
-- No trigger and no view touches these tables, so a save costs nothing more: what has changed is
-- found by the record of changes and by the revisions of snippets. Nothing refers to a row here
-- either, so these rows may be replaced, unlike those of other tables.

-- One row: the repository, and how far this store has come with it.
--
-- The place is the machine, the file and its path; 'left' once the store has left. After a restore it is
-- '', or 'restored/DEVICE/TIME/PLACE' with those of the store that the backup replaced and the time of its last
-- head. Once the backup is chosen, 'backup' takes the place of '' and of 'restored'. Where the store leaves
-- before that, or the backup is of one that had left, 'left' takes the place of 'restored', and 'before'
-- where the backup had no row here: then the device of the row is none.
CREATE TABLE sync_state (
  id INTEGER PRIMARY KEY
    CONSTRAINT there_is_one_sync_state CHECK (id = 1),
  repository BLOB NOT NULL
    CONSTRAINT repository_has_16_bytes CHECK (length(repository) = 16),
  address TEXT NOT NULL -- where the repository is: a folder or a bucket
    CONSTRAINT address_is_not_empty CHECK (address <> '' AND instr(address, char(0)) = 0),
  device BLOB NOT NULL -- what this store is called there
    CONSTRAINT device_has_16_bytes CHECK (length(device) = 16),
  name TEXT NOT NULL -- of the device, for people
    CONSTRAINT device_name_is_one_short_line
    CHECK (length(name) <= 100 AND instr(name, char(10)) = 0 AND instr(name, char(0)) = 0),
  place TEXT NOT NULL, -- the machine and the file, as a copy is another device; '' after a restore
  change_number INTEGER NOT NULL DEFAULT -1 -- the last change that was captured; -1 for none
    CONSTRAINT change_number_is_at_least_minus_1 CHECK (change_number >= -1),
  sealed INTEGER NOT NULL DEFAULT 0 -- the number of the last log file that was made
    CONSTRAINT sealed_is_not_negative CHECK (sealed >= 0),
  sent INTEGER NOT NULL DEFAULT 0 -- the number of the last log file that the head names
    CONSTRAINT sent_is_at_most_sealed CHECK (sent BETWEEN 0 AND sealed),
  synced_at INTEGER -- milliseconds since 1970, UTC: when both directions were last done
) STRICT;

-- The devices of the repository, this one among them. An entry names a device by its id here.
CREATE TABLE sync_device (
  id INTEGER PRIMARY KEY
    CONSTRAINT sync_device_id_is_positive CHECK (id BETWEEN 1 AND 9007199254740991),
  device BLOB NOT NULL UNIQUE
    CONSTRAINT sync_device_has_16_bytes CHECK (length(device) = 16),
  name TEXT NOT NULL DEFAULT '',
  applied INTEGER NOT NULL DEFAULT 0 -- the number of its last log file that was merged here
    CONSTRAINT applied_is_not_negative CHECK (applied >= 0),
  knows INTEGER NOT NULL DEFAULT 0 -- the number of this store's last log file that it has merged
    CONSTRAINT knows_is_not_negative CHECK (knows >= 0),
  head TEXT NOT NULL DEFAULT '', -- the tag of the head that was read last
  wrote_at INTEGER, -- milliseconds since 1970, by its clock: when it wrote that head
  left_at INTEGER -- the same, where it has left the repository by that head
) STRICT;

-- The entries of snippets, as they were captured or merged last. A row stays when its snippet is
-- deleted, without a reference: that is how the next capture notices the deletion.
CREATE TABLE sync_row (
  snippet_id INTEGER PRIMARY KEY
    CONSTRAINT sync_row_snippet_id_is_positive CHECK (snippet_id BETWEEN 1 AND 9007199254740991),
  uuid BLOB NOT NULL -- of the snippet, for when it is gone
    CONSTRAINT sync_row_uuid_has_16_bytes CHECK (length(uuid) = 16),
  revision INTEGER NOT NULL, -- of the snippet, when it last agreed with the entry; 0: unknown
  published INTEGER NOT NULL -- 1 once a log names the snippet
    CONSTRAINT published_is_0_or_1 CHECK (published IN (0, 1)),
  pending INTEGER NOT NULL -- 1 while the entry must be sent
    CONSTRAINT pending_is_0_or_1 CHECK (pending IN (0, 1)),
  entry TEXT NOT NULL -- JSON
    CONSTRAINT sync_row_entry_is_an_object CHECK (entry GLOB '{*}')
) STRICT;

CREATE INDEX sync_row_pending ON sync_row (snippet_id) WHERE pending = 1;

-- The entries of what is not in the table snippet: deleted for good.
CREATE TABLE sync_absent (
  uuid BLOB PRIMARY KEY
    CONSTRAINT sync_absent_uuid_has_16_bytes CHECK (length(uuid) = 16),
  pending INTEGER NOT NULL
    CONSTRAINT absent_pending_is_0_or_1 CHECK (pending IN (0, 1)),
  entry TEXT NOT NULL
    CONSTRAINT sync_absent_entry_is_an_object CHECK (entry GLOB '{*}')
) STRICT, WITHOUT ROWID;

CREATE INDEX sync_absent_pending ON sync_absent (uuid) WHERE pending = 1;

-- The entries that wait to be merged, as they came from the logs of devices: the last one of each
-- device for a snippet, so that all of a snippet are merged together. One that this version cannot
-- read, or that its rules refuse, waits until the store is opened by one that may understand it.
CREATE TABLE sync_unread (
  uuid BLOB NOT NULL
    CONSTRAINT sync_unread_uuid_has_16_bytes CHECK (length(uuid) = 16),
  device INTEGER NOT NULL -- the id of the device in whose log it came
    CONSTRAINT sync_unread_device_is_positive CHECK (device BETWEEN 1 AND 9007199254740991),
  version INTEGER NOT NULL -- of the coding of entries that did not understand it; 0 if untried
    CONSTRAINT sync_unread_version_is_not_negative CHECK (version >= 0),
  devices BLOB NOT NULL -- the devices that the entry names by their places here, of 16 bytes each
    CONSTRAINT sync_unread_devices_have_16_bytes CHECK (length(devices) % 16 = 0),
  entry TEXT NOT NULL
    CONSTRAINT sync_unread_entry_is_an_object CHECK (entry GLOB '{*}'),
  PRIMARY KEY (uuid, device)
) STRICT, WITHOUT ROWID;

-- Log files that were sealed. They stay until another device has them, so that a retry sends the
-- same bytes, and a place that lost a file gets it again.
CREATE TABLE sync_outbox (
  number INTEGER PRIMARY KEY
    CONSTRAINT outbox_number_is_positive CHECK (number >= 1),
  file BLOB NOT NULL
) STRICT;

-- The blobs that are in the repository.
CREATE TABLE sync_blob (
  sha256 BLOB PRIMARY KEY
    CONSTRAINT sync_blob_sha256_has_32_bytes CHECK (length(sha256) = 32),
  generation INTEGER NOT NULL -- 1, and 1 more each time that it was sent anew
    CONSTRAINT generation_is_positive CHECK (generation >= 1)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 9;
