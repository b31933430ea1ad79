"""django-oauth-toolkit as an OpenID provider on loopback, without dynamic registration.

    python django_provider.py FOLDER REDIRECT_URI

It knows one client, `the-server` with the secret `s3cret/of it`, and signs everybody in as the user
`ann`, without a page, who is in the group `Shop Admins`. Prints its issuer.
"""

import sys
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings

FOLDER, REDIRECT = Path(sys.argv[1]), sys.argv[2]
PEM = rsa.generate_private_key(65537, 2048).private_bytes(
    Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
)
settings.configure(
    SECRET_KEY="x" * 50,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="__main__",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "provider.db")}
    },
    INSTALLED_APPS=[
        *("django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"),
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "__main__.SignedIn",
    ],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": PEM.decode(),
        "OAUTH2_VALIDATOR_CLASS": "__main__.Validator",
        "SCOPES": {"openid": "OpenID", "groups": "Groups"},
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https"],
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402

urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]


class SignedIn:
    """Signs everybody in as Ann."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> Any:
        request.user = User.objects.get(username="ann")
        return self.get_response(request)


class Validator(OAuth2Validator):  # type: ignore[misc]
    """Puts a person's groups into ID tokens."""

    oidc_claim_scope = None

    def get_additional_claims(self, request: Any) -> dict[str, Any]:
        return {"groups": [group.name for group in request.user.groups.all()]}


class Quiet(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_message(self, *_: Any) -> None:
        pass


def main() -> None:
    call_command("migrate", verbosity=0)
    User.objects.create_user("ann").groups.add(Group.objects.create(name="Shop Admins"))
    Application.objects.create(
        name="the server",
        client_id="the-server",
        client_secret="s3cret/of it",
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        redirect_uris=REDIRECT,
        skip_authorization=True,
        algorithm=Application.RS256_ALGORITHM,
    )
    with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        print(f"http://127.0.0.1:{server.server_port}/o", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
