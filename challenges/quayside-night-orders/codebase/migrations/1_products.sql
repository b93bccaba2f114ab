CREATE TABLE products (
    sku TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    unit_price INTEGER NOT NULL,  -- pence
    on_hand INTEGER NOT NULL,
    reserved INTEGER NOT NULL DEFAULT 0
);
