-- The key becomes part of the order that it placed.
ALTER TABLE orders ADD COLUMN retry_key TEXT;
ALTER TABLE orders ADD COLUMN retry_body TEXT;
CREATE UNIQUE INDEX one_order_a_key ON orders (customer, retry_key) WHERE retry_key IS NOT NULL;
DROP TABLE idempotency_keys;
