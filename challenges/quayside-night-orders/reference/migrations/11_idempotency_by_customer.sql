-- A key is unique for one customer only. SQLite cannot change a primary key in place, so the table is made again.
CREATE TABLE idempotency_keys_new (
    customer TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    remembered_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (customer, key)
);
INSERT INTO idempotency_keys_new (customer, key, fingerprint, order_id, remembered_at)
    SELECT customer, key, fingerprint, order_id, remembered_at FROM idempotency_keys;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_new RENAME TO idempotency_keys;
