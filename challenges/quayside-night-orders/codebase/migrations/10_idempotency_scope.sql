-- Tills of different customers count their keys from 1, so a key alone is not enough.
ALTER TABLE idempotency_keys ADD COLUMN customer TEXT NOT NULL DEFAULT '';
ALTER TABLE idempotency_keys ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
