CREATE INDEX order_lines_by_order ON order_lines (order_id);
CREATE INDEX orders_by_time ON orders (placed_at, id);
CREATE INDEX orders_by_customer ON orders (customer, placed_at, id);
