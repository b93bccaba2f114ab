ALTER TABLE idempotency_keys RENAME TO idempotency_keys_old;
CREATE TABLE idempotency_keys (
    customer TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    UNIQUE (customer, key)
);
DROP TABLE idempotency_keys_old;
CREATE INDEX lines_order ON order_lines (order_id);
