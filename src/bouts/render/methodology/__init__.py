"""Methodology pages, generated from the tables: no number of a policy is written here by hand."""
