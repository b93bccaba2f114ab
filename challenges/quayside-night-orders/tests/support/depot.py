"""What the hidden tests say to the service, in one word each."""

import http.client
import json


def add(client, sku, unit_price="10.00", on_hand=100, name=None):
    body = {"sku": sku, "name": name or f"Product {sku}", "unit_price": unit_price, "on_hand": on_hand}
    answer = client.post("/products", json=body)
    assert answer.status_code == 201
    return answer.json()


def product(client, sku):
    answer = client.get(f"/products/{sku}")
    assert answer.status_code == 200
    return answer.json()


def counts(client, sku):
    found = product(client, sku)
    assert found["available"] == found["on_hand"] - found["reserved"]
    return found["on_hand"], found["reserved"]


def body(*lines, customer="HARBOUR-3", **fields):
    return {"customer": customer, "lines": [{"sku": sku, "quantity": quantity} for sku, quantity in lines], **fields}


def send(client, order, key=None):
    return client.post("/orders", json=order, headers={"Idempotency-Key": key} if key else {})


def place(client, *lines, key=None, **fields):
    answer = send(client, body(*lines, **fields), key)
    assert answer.status_code == 201, answer.text
    return answer.json()


def listed(client, **params):
    """Every order that the pages show, in their order."""
    return [order for page in pages(client, **params) for order in page]


def pages(client, **params):
    result, cursor = [], None
    while True:
        answer = client.get("/orders", params={**params, **({"cursor": cursor} if cursor else {})})
        assert answer.status_code == 200
        result.append(answer.json()["orders"])
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return result
        assert len(result) < 400, "the pages do not end"


def statement(client, month, customer="HARBOUR-3"):
    answer = client.get(f"/customers/{customer}/statement", params={"month": month})
    assert answer.status_code == 200
    return answer.json()


def refused(answer, status, code=None):
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"code", "message"}
    if code:
        assert error["code"] == code
    return error


def order_request(order, key=None):
    return request("POST", "/orders", order, key)


def request(method, path, content=None, key=None):
    """The bytes of one request, for `at_once`."""
    data = b"" if content is None else json.dumps(content).encode()
    head = [f"{method} {path} HTTP/1.1", "Host: service", f"Content-Length: {len(data)}", "Connection: close"]
    head += ["Content-Type: application/json"] if data else []
    head += [f"Idempotency-Key: {key}"] if key else []
    return "\r\n".join([*head, "", ""]).encode() + data


def at_once(service, requests):
    """Sends many requests at one moment, each over a connection of its own; their answers as (status, JSON).

    The service first gets all of each request but its last byte, so that in the end every thread of the service has
    work from the same moment on, however slow the client is.
    """
    lines = [service.connect() for _ in requests]
    for line, data in zip(lines, requests, strict=True):
        line.sendall(data[:-1])
    for line, data in zip(lines, requests, strict=True):
        line.sendall(data[-1:])
    return [answer(line) for line in lines]


def answer(line):
    with line:
        reply = http.client.HTTPResponse(line)
        reply.begin()
        return reply.status, json.loads(reply.read())
