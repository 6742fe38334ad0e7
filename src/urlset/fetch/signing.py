"""Sign requests, so that a server can verify who sends them: Web Bot Auth.

The form is that of draft-ietf-webbotauth-httpsig-protocol-01 of 2026-10-29, a profile of HTTP Message Signatures
(https://www.rfc-editor.org/rfc/rfc9421) with Ed25519. A signature covers the method, the host, the path, and the
Signature-Agent, and is valid for some minutes.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, NamedTuple

from urlset.errors import UsageError, reason_of, requiring_extra
from urlset.files.bounded import read_private
from urlset.files.structured import decode_json
from urlset.net.origin import DEFAULT_PORTS, in_url, origin_of, origin_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from urlset.fetch.request_url import Address
    from urlset.net.origin import Origin

DRAFT = "draft-ietf-webbotauth-httpsig-protocol-01"
"""The version of the draft that signatures follow."""

DIRECTORY = ".well-known/http-message-signatures-directory"
"""Path of the document with the public keys, on the host of the agent."""

LABEL = "urlset"
"""Name of the signature and of the member of Signature-Agent, which must be equal."""

TAG = "web-bot-auth"

SECONDS_VALID = 300
"""Lifetime of a signature. The draft recommends at most 24 hours; a request takes less than this."""

MAX_KEY_BYTES = 16 * 1024
"""Maximum size of a file with a key, in bytes."""

SEED_BYTES = 32
"""Length of a private key of Ed25519."""


class SigningKey(NamedTuple):
    """A private key with what identifies it.

    Attributes:
        public: The public key, base64url: `x` of its JWK.
        agent: The origin that publishes the public key.
    """

    private: Ed25519PrivateKey
    public: str
    agent: str

    @property
    def keyid(self) -> str:
        """The thumbprint of the public key: RFC 8037, appendix A.3."""
        facts = json.dumps({"crv": "Ed25519", "kty": "OKP", "x": self.public}, separators=(",", ":"))
        return encode(hashlib.sha256(facts.encode()).digest())

    @property
    def public_jwk(self) -> dict[str, str]:
        """The public key as the directory has it."""
        return {"kty": "OKP", "crv": "Ed25519", "kid": self.keyid, "x": self.public, "use": "sig"}

    @property
    def private_jwk(self) -> dict[str, str]:
        """The key with its private part and the agent, as the file of the key has it."""
        return {**self.public_jwk, "d": encode(self.private.private_bytes_raw()), "agent": self.agent}

    def sign(self, base: str) -> str:
        """Return the signature of a signature base, base64."""
        return b64encode(self.private.sign(base.encode())).decode()


class Signer:
    """Makes the headers that sign a request.

    Args:
        clock: Returns the time in seconds.
    """

    def __init__(self, key: SigningKey, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock

    def headers(self, method: str, address: Address) -> list[tuple[str, str]]:
        created = int(self._clock())
        agent = f'"{self._key.agent}"'
        components = [
            ('"@method"', method.upper()),
            ('"@authority"', authority_of(address.origin)),
            ('"@path"', address.target.partition("?")[0]),
            (f'"signature-agent";key="{LABEL}"', agent),
        ]
        parameters = (
            f"({' '.join(name for name, _ in components)});created={created};expires={created + SECONDS_VALID};"
            f'keyid="{self._key.keyid}";alg="ed25519";nonce="{b64encode(secrets.token_bytes(32)).decode()}";tag="{TAG}"'
        )
        return [
            ("Signature-Agent", f"{LABEL}={agent}"),
            ("Signature-Input", f"{LABEL}={parameters}"),
            ("Signature", f"{LABEL}=:{self._key.sign(signature_base(components, parameters))}:"),
        ]


def signature_base(components: Sequence[tuple[str, str]], parameters: str) -> str:
    """Return what is signed: RFC 9421, section 2.5.

    Args:
        components: The identifier and the value of each component.
        parameters: The value of `@signature-params`.
    """
    lines = [f"{name}: {value}" for name, value in components]
    return "\n".join([*lines, f'"@signature-params": {parameters}'])


def authority_of(origin: Origin) -> str:
    """Return the host of a request without its default port: RFC 9421, section 2.2.3."""
    host = in_url(origin.host)
    return host if origin.port == DEFAULT_PORTS.get(origin.scheme) else f"{host}:{origin.port}"


def encode(data: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def new_key(agent: str) -> SigningKey:
    """Return a new key.

    Args:
        agent: The origin that will publish the public key.

    Raises:
        MissingExtraError: cryptography is not installed.
        UsageError: The agent is not an https origin.
    """
    private = _ed25519().generate()
    return SigningKey(private, encode(private.public_key().public_bytes_raw()), agent_of(agent))


def agent_of(url: str) -> str:
    """Return the origin of an agent.

    Raises:
        UsageError: It is not an https origin, as the draft requires.
    """
    origin = origin_of(url)
    if origin is None or origin.scheme != "https" or url.rstrip("/") != origin_url(url):
        raise UsageError(f"the agent must be an https URL without a path, such as https://bot.example.com, not {url!r}")
    return origin_url(url)


def key_in(path: Path) -> SigningKey:
    """Return the key in a file that `urlset key new` wrote.

    Raises:
        MissingExtraError: cryptography is not installed.
        UsageError: Others can read the file, or it has no such key. No message contains it.
    """
    private_key = _ed25519()
    try:
        facts = decode_json(read_private(path, MAX_KEY_BYTES))
        seed = urlsafe_b64decode(f"{facts['d']}==")
        agent, public = str(facts["agent"]), str(facts["x"])
        is_known = facts["kty"] == "OKP" and facts["crv"] == "Ed25519" and len(seed) == SEED_BYTES
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {reason_of(error)}") from None
    except (ValueError, TypeError, KeyError):
        is_known = False
    if not is_known:
        raise UsageError(f"{path}: is not a signing key; make one with `urlset key new`") from None
    private = private_key.from_private_bytes(seed)
    if encode(private.public_key().public_bytes_raw()) != public:
        raise UsageError(f"{path}: the public and the private part of the key do not belong together")
    return SigningKey(private, public, agent_of(agent))


def _ed25519() -> type[Ed25519PrivateKey]:
    with requiring_extra("sign", "signed requests require"):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    return Ed25519PrivateKey
