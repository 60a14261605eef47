CREATE TABLE sample AS SELECT '${not a placeholder}' AS line;
