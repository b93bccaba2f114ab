CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    remembered_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
