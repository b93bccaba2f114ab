"""Pictures of standings as SVG: pure functions from plain numbers and names to text, with no library behind them."""
