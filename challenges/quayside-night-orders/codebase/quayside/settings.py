"""Settings from the environment; `.env.example` lists them."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

HOST = os.environ.get("QUAYSIDE_HOST", "127.0.0.1")
PORT = int(os.environ.get("QUAYSIDE_PORT", "8137"))
DATABASE = ROOT / os.environ.get("QUAYSIDE_DATABASE", "var/quayside.sqlite3")
MIGRATIONS = ROOT / "migrations"
THREADS = int(os.environ.get("QUAYSIDE_THREADS", "8"))
TIMEZONE = os.environ.get("QUAYSIDE_TIMEZONE", "Europe/London")
LOG_LEVEL = os.environ.get("QUAYSIDE_LOG_LEVEL", "WARNING")

MAX_BODY = 256 * 1024
CACHE_SECONDS = 300
