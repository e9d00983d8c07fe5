-- Draws a Sierpinski triangle. Try: sqlite3 :memory: < sierpinski-triangle.sql
WITH RECURSIVE
  line(y) AS (SELECT 0 UNION ALL SELECT y + 1 FROM line WHERE y < 15),
  cell(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM cell WHERE x < 15)
SELECT printf('%*s', 15 - y, '')
    || (SELECT group_concat(CASE WHEN x & (y - x) THEN '  ' ELSE '* ' END, '')
        FROM cell
        WHERE x <= y) AS picture
FROM line
ORDER BY y;
