"""A user who logs in at the authorization server and agrees to everything, and what the client keeps of that."""

from dataclasses import dataclass, field

import httpx2
from connection import CLIENT, Run, http_client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

REDIRECT_URI = "http://localhost:3030/callback"  # nothing listens there: the browser stops in front of it
METADATA_URL = "https://conformance-test.local/client-metadata.json"  # the client id that basic-cimd expects


@dataclass
class Memory:
    """Tokens and client information for as long as the program runs: the storage that the SDK asks for."""

    client: OAuthClientInformationFull | None = None
    tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep the tokens."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return what the client is registered as."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep what the client is registered as."""
        self.client = client_info


@dataclass
class Browser:
    """Opens the authorization endpoint and reads where it redirects to."""

    _came_back: dict[str, str] = field(default_factory=dict)

    async def open(self, url: str) -> None:
        """Let the user agree; the authorization servers of the scenarios do not ask."""
        async with http_client() as http:
            response = await http.get(url)
        self._came_back = dict(httpx2.URL(response.headers["location"]).params)

    async def result(self) -> AuthorizationCodeResult:
        """Return what stood in the redirect."""
        return AuthorizationCodeResult.model_validate(self._came_back)


def user_login(run: Run, *, registered: OAuthClientInformationFull | None = None) -> OAuthClientProvider:
    """Return what gets an access token from a user's login.

    :param registered: what the client is registered as already.
    """
    browser = Browser()
    return OAuthClientProvider(
        run.url,
        OAuthClientMetadata(client_name=CLIENT.name, redirect_uris=[AnyUrl(REDIRECT_URI)]),
        Memory(client=registered),
        redirect_handler=browser.open,
        callback_handler=browser.result,
        client_metadata_url=METADATA_URL,
    )
