"""The types of the API's arguments and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Assembly(TypedDict):
    name: str
    parts: NotRequired[list[Assembly]]
    inside: NotRequired[Assembly | None]


class Dovetail(TypedDict):
    kind: Literal["dovetail"]
    tails: int


FurnitureDrawnBy: TypeAlias = str


Height: TypeAlias = int


class Mortise(TypedDict):
    kind: Literal["mortise"]
    depth: NotRequired[float]


Joint: TypeAlias = Dovetail | Mortise


Wood: TypeAlias = Literal["ash", "beech", "oak", "walnut"]


ShapesPointPostApplicationJsonCoordinate: TypeAlias = int


class AddPartMaker(TypedDict):
    id: NotRequired[int]
    name: NotRequired[str]


class AddPartResult(TypedDict):
    ok: NotRequired[bool]


class MergePartMaker(TypedDict):
    name: NotRequired[str | None]


class MergePartResult(TypedDict):
    ok: NotRequired[bool]


PatchJobBodyItem = TypedDict(
    "PatchJobBodyItem",
    {
        "op": Literal["add", "remove", "replace", "move", "copy", "test"],
        "path": str,
        "from": NotRequired[str],
        "value": NotRequired[Any],
    },
)


class PatchJobResult(TypedDict):
    ok: NotRequired[bool]


class StartJobResult(TypedDict):
    ok: NotRequired[bool]


class ResetJobResult(TypedDict):
    ok: NotRequired[bool]


class PutSettingResult(TypedDict):
    ok: NotRequired[bool]


class OrderFormAddress(TypedDict):
    street: NotRequired[str]
    town: NotRequired[str | None]


class OrderFormOptions(TypedDict):
    oiled: NotRequired[bool]
    wood: NotRequired[str]


class OrderFormResult(TypedDict):
    ok: NotRequired[bool]


class UploadDrawingMaterial(TypedDict):
    wood: NotRequired[str]
    thickness: NotRequired[int | None]


class UploadDrawingResult(TypedDict):
    ok: NotRequired[bool]


class PutModelResult(TypedDict):
    ok: NotRequired[bool]


class DescribeModelBody(TypedDict):
    text: str


class DescribeModelResult(TypedDict):
    ok: NotRequired[bool]


class AddPhotoBodyUrl(TypedDict):
    url: str


class AddPhotoBodyPhoto(TypedDict):
    photo: str
    caption: NotRequired[str]


class AddPhotoResult(TypedDict):
    ok: NotRequired[bool]


class PutPhotoResult(TypedDict):
    ok: NotRequired[bool]


class WriteNoteResult(TypedDict):
    ok: NotRequired[bool]


class SendCutListResult(TypedDict):
    ok: NotRequired[bool]


class AppendLogResult(TypedDict):
    ok: NotRequired[bool]


class CutJointResult(TypedDict):
    ok: NotRequired[bool]


class BuildChairBody(TypedDict):
    name: str
    wood: NotRequired[Wood]
    drawn_by: NotRequired[str]
    legs: int
    armrests: NotRequired[bool]


class BuildChairResult(TypedDict):
    ok: NotRequired[bool]


class MeasureResult(TypedDict):
    ok: NotRequired[bool]


class SendTreeResult(TypedDict):
    ok: NotRequired[bool]


class SetPricesBody(TypedDict):
    currency: NotRequired[Literal["EUR"]]


class SetPricesResult(TypedDict):
    ok: NotRequired[bool]


class SetLabelsResult(TypedDict):
    ok: NotRequired[bool]


class SendExtrasResult(TypedDict):
    ok: NotRequired[bool]


class MarkPointResult(TypedDict):
    ok: NotRequired[bool]
