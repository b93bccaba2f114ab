import logging

import waitress

from quayside import db, migrate, settings
from quayside.app import build_app


def main():
    logging.basicConfig(level=settings.LOG_LEVEL, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    migrate.run(db.connection())
    waitress.serve(
        build_app(), host=settings.HOST, port=settings.PORT, threads=settings.THREADS, ident=None, _quiet=True
    )


if __name__ == "__main__":
    main()
