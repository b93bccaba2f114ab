"""Standings for people: rows and sentences for a terminal, and the data of pictures."""
