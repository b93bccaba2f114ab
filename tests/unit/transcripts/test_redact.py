"""Secrets, home folders and steering characters stay out of stored transcripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.transcripts import redact
from bouts.model.text import clean

SECRETS = [
    "sk-ant-api03-" + "Ab1" * 12,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "11AA" * 8,
    "AKIA" + "ABCD1234EFGH5678",
    "AIza" + "Sy0-" * 9,
    "xoxb-123456789012-abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "glpat-" + "x1y2" * 5,
    "hf_" + "QwEr" * 8,
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "token: {}", "export X='{}' && run", "a\n{}\nb"])
def test_tokens(secret, around):
    text = redact.output(around.format(secret))
    assert secret not in text
    assert secret[6:] not in text
    assert redact.REMOVED in text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("DB_PASSWORD=hunter2hunter2", "DB_PASSWORD=[redacted]"),
        ('{"api_key": "0123456789"}', '{"api_key": "[redacted]"}'),
        ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [redacted]"),
        ("postgres://admin:s3cret@db:5432/app", "postgres://[redacted]@db:5432/app"),
        ("/home/alice/work/app.py", "~/work/app.py"),
        ("/Users/bob/app.py:3", "~/app.py:3"),
        ("/root/app.py", "~/app.py"),
        (r"C:\Users\carol\app.py", r"~\app.py"),
        (r"C:\Users\Carol Jones\app.py", r"~\app.py"),
        (r"dir C:\Users\carol and D:\x", r"dir ~ and D:\x"),
        ("C:/Users/carol/app.py", "~/app.py"),
        ("/c/Users/carol/app.py", "~/app.py"),
        ("/mnt/c/Users/carol/app.py", "~/app.py"),
        ("Authorization: Basic YWRtaW46czNjcmV0", "Authorization: Basic [redacted]"),
        ("GITHUB_TOKEN=abcdef123456", "GITHUB_TOKEN=[redacted]"),
        ("AccountKey=abcdef123456==;x", "AccountKey=[redacted];x"),
        (r"'C:\\Users\\carol\\app.py'", r"'~\\app.py'"),
    ],
)
def test_other_secrets_and_home_folders(text, kept):
    assert redact.output(text) == kept
    assert redact.line(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "12 passed in 0.3s",
        "def key(x): return x",
        "app/root/rooted.py",
        "password: str",
        "ghost town",
        "tasks-and-more",
    ],
)
def test_ordinary_text_stays(text):
    assert redact.output(text) == text


def test_a_private_key_goes_whole_even_where_it_was_cut():
    body = "MIIEpAIBAAKCAQEA" * 20
    text = f"before\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nafter"
    assert redact.output(text) == "before\n[redacted]\nafter"
    assert "MIIE" not in redact.output(f"-----BEGIN PRIVATE KEY-----\n{body}")


def test_a_secret_at_the_cut_is_gone_too():
    secret = "ghp_" + "a1B2" * 9
    text = redact.output("x" * (redact.OUTPUT - 20) + " " + secret)
    assert "ghp_" not in text


def test_terminal_sequences_go_and_other_control_characters_are_spelled_out():
    assert redact.output("\x1b[31mred\x1b[0m\x07") == r"red\x07"
    assert redact.line("a\nb\u202ec") == r"a\nb\u202ec"
    assert redact.line("\ud800") == r"\ud800"


@given(st.text(max_size=5000))
def test_every_text_becomes_short_and_printable(text):
    out, line = redact.output(text), redact.line(text)
    assert len(out) <= redact.OUTPUT
    assert len(line) <= redact.LINE
    assert all(c.isprintable() or c in "\n\t" for c in out)
    assert line.isprintable()
    out.encode()


@given(st.text(alphabet=st.characters(exclude_characters="\x1b"), max_size=60), st.sampled_from([1, 40, 100]))
def test_what_is_kept_at_once_is_what_cleaning_leaves(text, times):
    kept = text.replace("/", "").replace("\\", "") * times
    assert redact.output(kept) == clean(kept, redact.OUTPUT)
