-- Stands in for the step of this number, which is made elsewhere.

PRAGMA user_version = 6;
