-- Views made for people: words, ISO dates, hex hashes, sizes. Start with
--   SELECT * FROM snippets LIMIT 5;

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
  lower(
    substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
    || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)
  ) AS uuid,
  revision,
  blob_id
FROM snippet;

-- Short texts in full. A new body may be written to snippet_text; size and preview follow.
CREATE VIEW texts AS
SELECT snippet.id, snippet.title, snippet_text.body
FROM snippet JOIN snippet_text ON snippet_text.snippet_id = snippet.id;

-- What every blob is, how it is stored and who uses it.
CREATE VIEW blobs AS
SELECT
  blob.id,
  lower(hex(sha256)) AS sha256,
  byte_count,
  CASE
    WHEN byte_count < 1000 THEN byte_count || ' B'
    WHEN byte_count < 1000000 THEN printf('%.1f kB', byte_count / 1e3)
    WHEN byte_count < 1000000000 THEN printf('%.1f MB', byte_count / 1e6)
    ELSE printf('%.1f GB', byte_count / 1e9)
  END AS size,
  (byte_count + chunk_size - 1) / chunk_size AS chunks,
  (SELECT group_concat(id, ', ') FROM snippet WHERE snippet.blob_id = blob.id) AS snippet_ids
FROM blob;

-- Blobs of one chunk, ready for the shell:
--   SELECT writefile('out.png', data) FROM small_blobs WHERE snippet_id = 7;
CREATE VIEW small_blobs AS
SELECT snippet.id AS snippet_id, snippet.title, snippet.media_type, blob_chunk.data
FROM snippet
JOIN blob ON blob.id = snippet.blob_id AND blob.byte_count <= blob.chunk_size
JOIN blob_chunk ON blob_chunk.id = blob.id << 20;

-- Every tag with the number of snippets that carry it.
CREATE VIEW tags AS
SELECT tag.name, (SELECT count(*) FROM snippet_tag WHERE tag_id = tag.id) AS snippets
FROM tag;

PRAGMA user_version = 3;
