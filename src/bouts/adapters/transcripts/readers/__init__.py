"""One reader a file: `NAME`, `TITLE`, `detect` and `read`."""
