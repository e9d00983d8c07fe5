-- What a recording sounds like, known without decoding it. A snippet that was saved before has none
-- of it.

ALTER TABLE snippet ADD COLUMN sample_rate INTEGER -- in hertz
  CONSTRAINT sample_rate_is_from_1_to_10000000 CHECK (sample_rate BETWEEN 1 AND 10000000);
ALTER TABLE snippet ADD COLUMN channel_count INTEGER
  CONSTRAINT channel_count_is_from_1_to_1024 CHECK (channel_count BETWEEN 1 AND 1024);

DROP VIEW snippets;
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
  CASE pinned WHEN 1 THEN 'yes' ELSE 'no' END AS pinned,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created,
  strftime('%Y-%m-%dT%H:%M:%fZ', modified_at / 1000.0, 'unixepoch') AS modified,
  CASE
    WHEN snippet.byte_count < 1000 THEN snippet.byte_count || ' B'
    WHEN snippet.byte_count < 1000000 THEN printf('%.1f kB', snippet.byte_count / 1e3)
    WHEN snippet.byte_count < 1000000000 THEN printf('%.1f MB', snippet.byte_count / 1e6)
    ELSE printf('%.1f GB', snippet.byte_count / 1e9)
  END AS size,
  media_type,
  CASE WHEN pixel_width IS NOT NULL THEN pixel_width || ' × ' || pixel_height END AS pixels,
  CASE
    WHEN duration_ms IS NOT NULL
    THEN printf('%d:%06.3f', duration_ms / 60000, duration_ms % 60000 / 1000.0)
  END AS duration,
  sample_rate || ' Hz' AS sample_rate,
  channel_count AS channels,
  lower(
    substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
    || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)
  ) AS uuid,
  revision,
  blob_id
FROM snippet
WHERE deleted_at IS NULL;

PRAGMA user_version = 8;
