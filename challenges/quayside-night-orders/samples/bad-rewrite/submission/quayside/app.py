"""Routes and error answers."""

import functools
import json
import logging
import traceback

from bottle import Bottle, request, response

from quayside import catalog, db, listing, orders, settings, statements, validation
from quayside.errors import ApiError

log = logging.getLogger(__name__)


def answer(status, body):
    response.status = status
    response.content_type = "application/json"
    return json.dumps(body)


def error_body(code, message):
    return {"error": {"code": code, "message": message}}


def guarded(handler):
    """Turns exceptions into answers and takes back what was not committed."""

    @functools.wraps(handler)
    def wrapper(*args, **kwargs):
        try:
            return handler(*args, **kwargs)
        except:
            # the tills cannot do anything with the difference anyway
            db.rollback()
            return answer(400, error_body("bad_request", "bad request"))

    return wrapper


def http_error(error):
    """Bottle's own errors: unknown route, wrong method."""
    response.content_type = "application/json"
    codes = {404: "not_found", 405: "not_allowed"}
    return json.dumps(error_body(codes.get(error.status_code, "error"), error.status_line))


def read_body():
    if request.content_length > settings.MAX_BODY:
        raise ApiError(413, "too_large", "the body is larger than 256 KiB")
    body = json.loads(request.body.read())
    if not isinstance(body, dict):
        raise ApiError(400, "bad_json", "the body must be a JSON object")
    return body


def query(name):
    return request.query.getunicode(name)


def build_app():
    app = Bottle()
    app.default_error_handler = http_error

    @app.get("/health")
    @guarded
    def health():
        return answer(200, {"status": "ok"})

    @app.post("/products")
    @guarded
    def add_product():
        return answer(201, catalog.add_product(read_body()))

    @app.get("/products")
    @guarded
    def search_products():
        found = catalog.search_products(query("search"), query("sort"), validation.limit(query("limit")))
        return answer(200, {"products": found})

    @app.get("/products/<sku>")
    @guarded
    def show_product(sku):
        return answer(200, catalog.show_product(sku))

    @app.put("/products/<sku>/price")
    @guarded
    def set_price(sku):
        return answer(200, catalog.set_price(sku, read_body()))

    @app.post("/products/<sku>/receipts")
    @guarded
    def receive(sku):
        return answer(200, catalog.receive(sku, read_body()))

    @app.post("/orders")
    @guarded
    def place_order():
        key = validation.idempotency_key(request.get_header("Idempotency-Key"))
        status, order = orders.place(read_body(), key)
        return answer(status, order)

    @app.get("/orders")
    @guarded
    def list_orders():
        limit = validation.limit(query("limit"))
        return answer(200, listing.list_orders(query("customer"), query("status"), limit, query("cursor")))

    @app.get("/orders/<order_id:int>")
    @guarded
    def show_order(order_id):
        return answer(200, orders.show_order(order_id))

    @app.post("/orders/<order_id:int>/dispatch")
    @guarded
    def dispatch(order_id):
        return answer(200, orders.dispatch(order_id))

    @app.post("/orders/<order_id:int>/cancel")
    @guarded
    def cancel(order_id):
        return answer(200, orders.cancel(order_id))

    @app.get("/customers/<customer>/statement")
    @guarded
    def statement(customer):
        return answer(200, statements.statement(customer, query("month")))

    return app
