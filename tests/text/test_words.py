"""Identifiers are functions of their own text: valid, bounded, apart."""

import keyword
import random

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.text.words import BUILTINS, MAX_LENGTH, ascii_text, pascal, snake, split, unique, upper


@table(
    "text, words",
    ("HTTPServer", ["HTTP", "Server"]),
    ("getV2Pets", ["get", "V2", "Pets"]),
    ("userIDs", ["user", "IDs"]),
    ("listS3Buckets", ["list", "S3", "Buckets"]),
    ("OAuth2Token", ["Oauth2", "Token"]),
    ("oAuth2Token", ["Oauth2", "Token"]),
    ("videoAuthor", ["video", "Author"]),
    ("IPv4Address", ["Ipv4", "Address"]),
    ("X-Request-ID", ["X", "Request", "ID"]),
    ("filter[name]", ["filter", "name"]),
    ("getPetsId_85384b60", ["get", "Pets", "Id", "85384b60"]),
    ("d228fca7", ["d228fca7"]),
    ("__proto__", ["proto"]),
    ("Straße Ørsted", ["Strasse", "Orsted"]),
    ("Ditto™ HTTP℠", ["Ditto", "HTTP"]),
    ("日本", []),
    ("", []),
)
def test_split(text, words):
    assert split(text) == words


@table(
    "text, name",
    ("petId", "pet_id"),
    ("pet_id", "pet_id"),
    ("sha256sum", "sha256sum"),
    ("class", "class_"),
    ("None", "none"),
    ("2fa", "arg_2fa"),
    ("", "arg"),
    ("𝓮xec", "exec"),
    ("x_c9886c30", "x_c9886c30"),
    ("ctx", "ctx_"),
)
def test_snake(text, name):
    assert snake(text, fallback="arg", avoid={"ctx"}) == name


@table(
    "text, name",
    ("pet", "Pet"),
    ("PET", "PET"),
    ("HTTPServer", "HTTPServer"),
    ("io.k8s.api.core.v1.Pod", "IoK8SApiCoreV1Pod"),
    ("2fa", "Model2fa"),
    ("", "Model"),
    ("../../../pwned", "Pwned"),
)
def test_pascal(text, name):
    assert pascal(text) == name


def test_text_without_letters_is_told_apart_by_its_fingerprint():
    assert snake("日本", fallback="tag") != snake("中国", fallback="tag")
    assert pascal("日本") != pascal("中国")


def test_upper():
    assert upper("api-key", fallback="KEY") == "API_KEY"
    assert upper("1password", fallback="API") == "API_1PASSWORD"


@given(st.text())
def test_every_text_gives_identifiers(text):
    for name in (snake(text, fallback="arg", avoid=BUILTINS), pascal(text)):
        assert name.isascii()
        assert name.isidentifier()
        assert not keyword.iskeyword(name) or name in {"True", "False", "None"}
        assert len(name) <= MAX_LENGTH + 1
    assert snake(text, fallback="arg", avoid=BUILTINS) not in BUILTINS
    assert "_" not in pascal(text)
    assert ascii_text(text).isascii()


@table(
    "text, letters",
    ("\u0663\u06f4\u0967", "341"),
    ("x\u00b2\u2460", "x21"),
    ("\u0416\u00df", " ss"),
    ("\u00e9\u200b", "e"),
)
def test_letters_and_digits_of_any_script_are_read(text, letters):
    assert ascii_text(text) == letters


def test_long_text_is_cut_and_stays_apart():
    one, two = (snake(f"{'word ' * 40}{tail}", fallback="arg") for tail in ("a", "b"))
    assert one != two
    assert max(len(one), len(two)) <= MAX_LENGTH


@table(
    "text, stem",
    (f"{'word ' * 14}unfinished business", "_".join(["word"] * 14)),
    (f"{'word ' * 9}{'x' * 30} more", "_".join(["word"] * 9)),
    ("x" * 100, "x" * 69),
    (f"two {'x' * 100}", f"two_{'x' * 65}"),
)
def test_a_long_name_keeps_its_first_words_and_no_part_of_one(text, stem):
    assert snake(text, fallback="arg").rpartition("_")[0] == stem


@table(
    "text, stem",
    (f"unfinished business {'word ' * 16}", f"Business{'Word' * 16}"),
    (f"io.kinds.v1.{'Custom' * 10}Resource", f"KindsV1{'Custom' * 10}Resource"),
    (f"{'word ' * 10}{'x' * 40}", f"{'Word' * 9}X{'x' * 39}"),
    ("x" * 100, "X" + "x" * 75),
    (f"{'x' * 100} two", "X" + "x" * 75),
)
def test_a_long_name_of_a_class_keeps_its_last_words(text, stem):
    assert pascal(text) == stem


def test_the_function_of_a_tool_has_all_of_its_name():
    tool = "post_files_id_metadata_enterprise_securityClassificatio_730166fa"
    assert len(tool) == 64
    expected = "post_files_id_metadata_enterprise_security_classificatio_730166fa"
    assert snake(tool, fallback="call") == expected


def test_where_names_meet_only_the_exact_one_stays():
    names = unique({"pets": "pets", "Pets": "pets", "PETS": "pets", "dogs": "dogs"})
    assert names["pets"] == "pets"
    assert names["dogs"] == "dogs"
    assert names["Pets"].startswith("pets_")
    assert len(set(names.values())) == 4


def test_of_lossy_names_that_meet_one_stays():
    """If a lock keeps names: else a new neighbour could take over a name that means another."""
    texts = {"a-b": "a_b", "a b": "a_b"}
    assert unique(texts, kept_names={}) == {"a b": "a_b", "a-b": "a_b_d44362"}
    assert "a_b" not in unique(texts).values()


def test_what_is_known_stays_and_the_newcomer_yields():
    names = unique({"a b": "a_b", "a-b": "a_b"}, kept_names={"a-b": "a_b"})
    assert names == {"a b": "a_b_c8687a", "a-b": "a_b"}


def test_what_is_known_by_another_name_leaves_its_own_to_others():
    texts = {"a b": "a_b", "a-b": "a_b", "c": "d", "e": "d"}
    names = unique(texts, kept_names={"a b": "kept"})
    assert (names["a b"], names["a-b"]) == ("kept", "a_b")


def test_a_known_name_that_is_taken_or_another_s_does_not_stay():
    """As where somebody edited the lock."""
    texts = {"a": "a", "b": "b", "c": "c"}
    names = unique(texts, in_use={"y"}, kept_names={"a": "x", "b": "x", "c": "y", "gone": "b"})
    assert names == {"a": "x", "b": "b", "c": "c"}


def test_names_differ_in_more_than_case_where_they_become_files():
    names = unique({"A": "A", "a": "a"}, fold=True)
    assert len({name.lower() for name in names.values()}) == 2


@given(st.lists(st.sampled_from(["a", "A", "a b", "a-b", "aB", "b", "a_b"]), unique=True))
def test_the_order_of_neighbours_does_not_matter(texts):
    candidates = {text: snake(text, fallback="arg") for text in texts}
    shuffled = dict(random.Random(0).sample(list(candidates.items()), len(candidates)))
    assert unique(candidates) == unique(shuffled)
    assert list(unique(candidates)) == texts
    assert len(set(unique(candidates).values())) == len(texts)
