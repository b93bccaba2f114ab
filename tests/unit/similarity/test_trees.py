"""JavaScript, TypeScript, Go and Rust as shapes."""

from __future__ import annotations

import builtins

import pytest

from bouts.adapters.similarity import trees
from bouts.adapters.similarity.reading import read_files
from bouts.errors import BadUsage
from bouts.integrity.similarity.shapes import Bag, bag

SAME = {
    "renamed js": (
        "js",
        "const f = (a) => { let t = 0; for (const x of a) { t += x * 2; } return t; };",
        "const g = (q) => { let r = 0; for (const y of q) { r += y * 2; } return r; };",
    ),
    "comparison js": ("js", "if (a > b) { f(); }", "if (b < a) { f(); }"),
    "quotes js": ("js", "f('k');", 'f("k");'),
    "step js": ("js", "let i = 0; i++;", "let i = 0; i += 1;"),
    "comment js": ("js", "f(1, 'x');", "// why\nf(1, /* here */ 'x');"),
    "types ts": (
        "ts",
        "function f(a: string[], b: number): number { return a.length + b; }",
        "function f(a, b) { return a.length + b; }",
    ),
    "renamed go": (
        "go",
        "package p\nfunc F(xs []int) int { t := 0\n for _, x := range xs { t += x }\n return t }",
        "package p\nfunc G(ys []int) int { s := 0\n for _, y := range ys { s = s + y }\n return s }",
    ),
    "renamed rust": (
        "rs",
        "fn f(xs: &[i32]) -> i32 { let mut t = 0; for x in xs.iter() { t += x; } t }",
        "fn g(ys: &[i32]) -> i32 { let mut s = 0; for y in ys.iter() { s += y; } s }",
    ),
    "own fields js": (
        "js",
        "class A { constructor() { this.total = 0; } add(n) { this.total += n; return this.total; } }",
        "class B { constructor() { this.sum = 0; } plus(k) { this.sum += k; return this.sum; } }",
    ),
}
DIFFERENT = {
    "operator": ("js", "let x = a + b;", "let x = a - b;"),
    "method": ("ts", "xs.map(f);", "xs.filter(f);"),
    "literal": ("go", 'package p\nvar x = "one"', 'package p\nvar x = "two"'),
    "macro": ("rs", 'fn f() { println!("a"); }', 'fn f() { panic!("a"); }'),
}


def of(ending: str, text: str) -> Bag:
    return bag(read_files({f"a.{ending}": text.encode()}))


@pytest.mark.parametrize("name", list(SAME))
def test_what_costs_nothing_does_not_show(name: str) -> None:
    ending, one, two = SAME[name]
    assert of(ending, one).shapes == of(ending, two).shapes
    assert of(ending, one).shapes


@pytest.mark.parametrize("name", list(DIFFERENT))
def test_what_differs_differs(name: str) -> None:
    ending, one, two = DIFFERENT[name]
    assert of(ending, one).shapes != of(ending, two).shapes


def test_types_taken_away_is_still_the_same_code() -> None:
    typed = "export class A { private n: number = 0; add(k: number): void { this.n = this.n + k * 2; } }"
    plain = "export class A { n = 0; add(k) { this.n = this.n + k * 2; } }"
    one, two = of("ts", typed).shapes, of("js", plain).shapes
    assert len(one.keys() & two.keys()) >= 0.8 * min(len(one), len(two))


def test_lines_are_those_of_the_file() -> None:
    (reading,) = read_files({"a.go": b"package p\n\nfunc F() int {\n\treturn g(1,\n\t\t2)\n}\n"})
    assert {(s.first, s.last) for s in reading.shapes} >= {(4, 5)}


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name == "tree_sitter":
            raise ModuleNotFoundError("no module", name="tree_sitter")
        return real(name, *rest, **more)  # type: ignore[arg-type]

    trees.parser.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(BadUsage, match="tree_sitter") as raised:
        read_files({"a.rs": b"fn f() {}"})
    assert "bouts[languages]" in (raised.value.hint or "")
    assert read_files({"a.py": b"x = 1"})
