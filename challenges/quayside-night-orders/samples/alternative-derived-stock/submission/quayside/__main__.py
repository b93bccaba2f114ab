import contextlib
import logging

import waitress

from quayside import db, migrate, settings
from quayside.app import build_app


def main():
    logging.basicConfig(level=settings.LOG_LEVEL, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    with contextlib.closing(db.prepare()) as conn:
        migrate.run(conn)
    waitress.serve(
        build_app(), host=settings.HOST, port=settings.PORT, threads=settings.THREADS, ident=None, _quiet=True
    )


if __name__ == "__main__":
    main()
