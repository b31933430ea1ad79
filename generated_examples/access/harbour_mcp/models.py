"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ByDefaultResult(TypedDict):
    welcome: NotRequired[bool]


class ByQueryKeyResult(TypedDict):
    welcome: NotRequired[bool]


class ByCookieKeyResult(TypedDict):
    welcome: NotRequired[bool]


class ByPasswordResult(TypedDict):
    welcome: NotRequired[bool]


class ByBearerResult(TypedDict):
    welcome: NotRequired[bool]


class ByOtherSchemeResult(TypedDict):
    welcome: NotRequired[bool]


class ByOauthResult(TypedDict):
    welcome: NotRequired[bool]


class ByOpenIdResult(TypedDict):
    welcome: NotRequired[bool]


class ByCertificateResult(TypedDict):
    welcome: NotRequired[bool]


class ByNothingResult(TypedDict):
    welcome: NotRequired[bool]


class WithBothResult(TypedDict):
    welcome: NotRequired[bool]


class WithThreeResult(TypedDict):
    welcome: NotRequired[bool]


class WithEitherResult(TypedDict):
    welcome: NotRequired[bool]


class WithChoiceResult(TypedDict):
    welcome: NotRequired[bool]


class WithOrWithoutResult(TypedDict):
    welcome: NotRequired[bool]


class KeyAsParameterResult(TypedDict):
    welcome: NotRequired[bool]


class ListManifestsResult(TypedDict):
    welcome: NotRequired[bool]


class SendManifestResult(TypedDict):
    welcome: NotRequired[bool]


class FindBerthResult(TypedDict):
    welcome: NotRequired[bool]


class SearchBerthsResult(TypedDict):
    welcome: NotRequired[bool]


class ShownAgainResult(TypedDict):
    welcome: NotRequired[bool]


class ListShipsResult(TypedDict):
    welcome: NotRequired[bool]


class AnnounceShipResult(TypedDict):
    welcome: NotRequired[bool]


class CheckShipsResult(TypedDict):
    welcome: NotRequired[bool]
