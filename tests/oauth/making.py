"""Tokens for tests, made by joserfc directly: what is tested does not make what it is tested with."""

from __future__ import annotations

import functools
import json
import warnings

from joserfc import jws
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, Key, OctKey, OKPKey, RSAKey

from pytest_mcp_conformance.json_values import JsonObject

NOW = 1_800_000_000.5  # seconds; any time will do


@functools.cache
def ec_key(crv: str = "P-256") -> ECKey:
    return ECKey.generate_key(crv)


@functools.cache
def other_key() -> ECKey:
    return ECKey.generate_key("P-256")


@functools.cache
def rsa_key(bits: int = 2048) -> RSAKey:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        return RSAKey.generate_key(bits)


@functools.cache
def okp_key() -> OKPKey:
    return OKPKey.generate_key("Ed25519")


@functools.cache
def secret() -> OctKey:
    return OctKey.generate_key(256)


def token(header: JsonObject, claims: object, key: Key | None) -> str:
    """Sign anything with any algorithm, `none` included."""
    registry = jws.JWSRegistry(algorithms=[str(header["alg"])], strict_check_header=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        return jws.serialize_compact(header, json.dumps(claims), key, registry=registry)


def corrupted(value: str) -> str:
    """Change the first character of the signature; of the last one, some bits are padding."""
    head, _, signature = value.rpartition(".")
    return f"{head}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"
