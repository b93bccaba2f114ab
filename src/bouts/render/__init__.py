"""Pure: cards and policies become plain views that terminal, web pages and documents share."""
