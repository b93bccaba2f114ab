"""There is no cache any more: a product is one look-up by primary key, and every cached count was wrong at times."""
