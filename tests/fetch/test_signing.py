"""Signed requests: the test vector of the draft, what is sent to whom, and the files of a key."""

from __future__ import annotations

import json
import re
import stat
from base64 import b64decode, urlsafe_b64decode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from tests.loopback import served

from urlset import api
from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.fetch.request_url import address_of
from urlset.fetch.signing import DIRECTORY, Signer, SigningKey, encode, key_in, signature_base

AGENT = "https://bot.example.com"

# The key of RFC 9421, appendix B.1.4, which the test vectors of the draft use.
SEED = b64decode("n4Ni+HpISpVObnQMW0wOhCKROaIKqKtW/2ZYb2p9KcU=")


@pytest.fixture
def vector_key() -> SigningKey:
    private = Ed25519PrivateKey.from_private_bytes(SEED)
    return SigningKey(private, encode(private.public_key().public_bytes_raw()), "https://signature-agent.test")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "urlset.key"
    api.new_signing_key(path, AGENT)
    return path


def test_the_vector_of_the_draft(vector_key: SigningKey) -> None:
    assert vector_key.public == "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"
    assert vector_key.keyid == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    components = [
        ('"@authority"', "example.com"),
        ('"signature-agent";key="agent2"', '"https://signature-agent.test"'),
    ]
    parameters = (
        '("@authority" "signature-agent";key="agent2");created=1735689600'
        ';keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600'
        ';nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA=="'
        ';tag="web-bot-auth"'
    )
    expected = "RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg=="
    assert vector_key.sign(signature_base(components, parameters)) == expected


def verified(headers: dict[str, str], method: str, authority: str, path: str, public: str) -> bool:
    """Verify a signature as a server does, from the headers alone."""
    label, parameters = headers["Signature-Input"].split("=", 1)
    agent_label, agent = headers["Signature-Agent"].split("=", 1)
    assert agent_label == label
    values = {
        '"@method"': method,
        '"@authority"': authority,
        '"@path"': path,
        f'"signature-agent";key="{label}"': agent,
    }
    names = re.findall(r'"[^"]+"(?:;key="[^"]+")?', parameters[1 : parameters.index(")")])
    lines = [f"{name}: {values[name]}" for name in names]
    base = "\n".join([*lines, f'"@signature-params": {parameters}'])
    signature = headers["Signature"].removeprefix(f"{label}=:").removesuffix(":")
    try:
        Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(f"{public}==")).verify(b64decode(signature), base.encode())
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize(
    ("url", "authority", "path"),
    [
        ("https://example.com", "example.com", "/"),
        ("https://EXAMPLE.com:443/a%20b?x=1", "example.com", "/a%20b"),
        ("http://example.com:8080/käse", "example.com:8080", "/k%C3%A4se"),
        ("https://[2001:db8::1]:8443/", "[2001:db8::1]:8443", "/"),
    ],
)
def test_what_is_signed(url: str, authority: str, path: str, vector_key: SigningKey) -> None:
    headers = dict(Signer(vector_key, clock=lambda: 1_800_000_000.9).headers("get", address_of(url)))
    assert verified(headers, "GET", authority, path, vector_key.public)
    assert not verified(headers, "HEAD", authority, path, vector_key.public)
    assert headers["Signature-Agent"] == 'urlset="https://signature-agent.test"'
    assert ";created=1800000000;expires=1800000300;" in headers["Signature-Input"]
    assert headers["Signature-Input"].endswith(';tag="web-bot-auth"')


def test_each_signature_is_new(vector_key: SigningKey) -> None:
    signer = Signer(vector_key)
    address = address_of("https://example.com/")
    assert signer.headers("GET", address) != signer.headers("GET", address)


@pytest.fixture
def asked() -> Iterator[tuple[str, list[Any]]]:
    seen: list[Any] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append((self.path, self.headers))
            body = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with served(Site) as origin:
        yield origin, seen


def test_a_server_can_verify_the_requests(asked: tuple[str, list[Any]], key: Path) -> None:
    origin, seen = asked
    api.validate(f"{origin}/sitemap.xml?v=2", sign=key)
    [(_, headers)] = seen
    public = json.loads(key.read_text())["x"]
    assert verified(dict(headers), "GET", origin.removeprefix("http://"), "/sitemap.xml", public)


def test_nothing_is_signed_by_default(asked: tuple[str, list[Any]]) -> None:
    origin, seen = asked
    api.validate(f"{origin}/sitemap.xml")
    assert "Signature" not in str(seen[0][1])


def test_other_hosts_get_no_signature(asked: tuple[str, list[Any]], key: Path) -> None:
    other, seen = asked

    class Redirect(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{other.replace('127.0.0.1', 'localhost')}/sitemap.xml")
            self.send_header("Content-Length", "0")
            self.end_headers()

    with served(Redirect) as origin:
        api.validate(f"{origin}/sitemap.xml", sign=key, allow_private=True)
    assert [("Signature" in str(headers)) for _, headers in seen] == [False]


def test_the_files_of_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "a.key", tmp_path / "public"
    arguments = ["key", "new", str(path), "--agent", f"{AGENT}/", "--directory", str(folder)]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert f"{AGENT}/{DIRECTORY}" in text
    private = json.loads(path.read_text())
    assert private["d"] not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    [public] = json.loads((folder / DIRECTORY).read_text())["keys"]
    assert public == {name: private[name] for name in ("kty", "crv", "kid", "x", "use")}
    assert public["kid"] == key_in(path).keyid
    # An earlier key stays, and is not replaced.
    assert main(arguments) == 2
    assert "already exists" in capsys.readouterr().err
    arguments[2] = str(tmp_path / "b.key")
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["keys"] == 2
    keys = json.loads((folder / DIRECTORY).read_text())["keys"]
    assert [one["kid"] for one in keys] == [public["kid"], key_in(tmp_path / "b.key").keyid]
    assert "d" not in keys[0] | keys[1]


@pytest.mark.parametrize(
    "agent",
    ["http://bot.example.com", "bot.example.com", f"{AGENT}/path", f"{AGENT}?x", "", "https://a:b@bot.example.com"],
)
def test_an_agent_is_an_https_origin(agent: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must be an https URL without a path"):
        api.new_signing_key(tmp_path / "a.key", agent)
    assert not (tmp_path / "a.key").exists()


@pytest.mark.parametrize("content", ["[]", "no JSON", '{"keys": 5}'])
def test_another_document_is_not_replaced(content: str, tmp_path: Path) -> None:
    place = tmp_path / DIRECTORY
    place.parent.mkdir()
    place.write_text(content)
    with pytest.raises(UsageError, match="is not a JSON Web Key Set"):
        api.new_signing_key(tmp_path / "a.key", AGENT, tmp_path)
    assert place.read_text() == content
    assert not (tmp_path / "a.key").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"d": "AAAA"},
        {"d": 5},
        {"crv": "X25519"},
        {"x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"},
        {"agent": "http://bot.example.com"},
        None,
    ],
)
def test_a_damaged_key_is_refused_and_not_shown(change: dict[str, object] | None, key: Path) -> None:
    facts = json.loads(key.read_text())
    key.write_text("[1]" if change is None else json.dumps({**facts, **change}))
    with pytest.raises(UsageError) as raised:
        api.validate("http://127.0.0.1:9/sitemap.xml", sign=key)
    assert facts["d"] not in str(raised.value)


def test_crawlers_do_not_sign(key: Path) -> None:
    for call in (api.check_clients, api.check_policy):
        with pytest.raises(UsageError, match="remove --sign"):
            call("http://127.0.0.1:9/sitemap.xml", sign=key)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Usage: urlset key [OPTIONS] COMMAND"),
        (["old", "a.key"], "no such command 'key old'; commands: new"),
        (["new", "--agent", "https://bot.example"], "missing argument 'FILE'"),
        (["new", "a.key"], "missing option --agent"),
    ],
)
def test_misuse(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_options_may_stand_before_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("new").mkdir()
    assert main(["key", "--directory", "new", "--agent", "https://bot.example", "new", "a.key"]) == 0
    assert Path("a.key").exists()
