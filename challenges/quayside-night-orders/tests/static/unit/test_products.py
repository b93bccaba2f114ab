"""Products: adding, finding, prices, goods coming in."""


def add(client, sku, name="Rye flour 25 kg", unit_price="12.35", on_hand=40):
    return client.post("/products", json={"sku": sku, "name": name, "unit_price": unit_price, "on_hand": on_hand})


def test_product_can_be_added_and_read(client):
    added = add(client, "RYE-25")
    assert added.status_code == 201
    expected = {
        "sku": "RYE-25",
        "name": "Rye flour 25 kg",
        "unit_price": "12.35",
        "on_hand": 40,
        "reserved": 0,
        "available": 40,
    }
    assert added.json() == expected
    assert client.get("/products/RYE-25").json() == expected


def test_sku_can_be_used_once(client):
    assert add(client, "RYE-25").status_code == 201
    again = add(client, "RYE-25", name="Something else")
    assert again.status_code == 409
    assert again.json()["error"]["code"] == "duplicate_sku"
    assert client.get("/products/RYE-25").json()["name"] == "Rye flour 25 kg"


def test_missing_product(client):
    missing = client.get("/products/NOWHERE")
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "not_found"


def test_search_by_part_of_a_name(client):
    add(client, "RYE-25", name="Rye flour 25 kg")
    add(client, "OAT-10", name="Oat flakes 10 kg")
    add(client, "SPELT-5", name="Spelt FLOUR 5 kg")
    found = client.get("/products", params={"search": "flour"})
    assert found.status_code == 200
    assert [product["sku"] for product in found.json()["products"]] == ["RYE-25", "SPELT-5"]


def test_search_for_a_name_with_an_apostrophe(client):
    add(client, "MARM-1", name="Baker's marmalade")
    add(client, "MARM-2", name="Bakers marmalade")
    found = client.get("/products", params={"search": "baker's"})
    assert found.status_code == 200
    assert [product["sku"] for product in found.json()["products"]] == ["MARM-1"]


def test_price_and_stock_can_be_changed(client):
    add(client, "RYE-25", unit_price="12.35", on_hand=40)
    assert client.put("/products/RYE-25/price", json={"unit_price": "13.00"}).json()["unit_price"] == "13.00"
    assert client.post("/products/RYE-25/receipts", json={"quantity": 5}).json()["on_hand"] == 45
    product = client.get("/products/RYE-25").json()
    assert (product["unit_price"], product["on_hand"], product["available"]) == ("13.00", 45, 45)


def test_body_that_is_not_json(client):
    for body in (b"", b'{"sku": "RYE-25",', b"rye please"):
        refused = client.post("/products", content=body)
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == "bad_json"
