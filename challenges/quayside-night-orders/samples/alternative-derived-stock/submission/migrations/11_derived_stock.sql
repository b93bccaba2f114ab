-- What is reserved follows from the orders; a count beside them can only disagree. products.reserved is no longer used.
CREATE INDEX open_lines ON order_lines (sku, order_id);
CREATE INDEX lines_by_order ON order_lines (order_id);
CREATE VIEW stock AS
SELECT
    products.sku, products.name, products.unit_price, products.on_hand,
    (
        SELECT coalesce(sum(order_lines.quantity), 0)
        FROM order_lines JOIN orders ON orders.id = order_lines.order_id
        WHERE order_lines.sku = products.sku AND orders.status = 'reserved'
    ) AS reserved
FROM products;
