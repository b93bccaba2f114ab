"""Reading code into shapes, and the file that keeps them."""
