"""Where the files of `assets/` are: inside the package in a wheel, one level up in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def _root() -> Path:
    package = Path(__file__).resolve().parent
    for candidate in (package / "assets", package.parent / "assets"):
        if (candidate / "i18n").is_dir():
            return candidate
    raise FileNotFoundError(f"kernelplay's assets are missing: neither {package / 'assets'} nor "
                            f"{package.parent / 'assets'} exists; install kernelplay again")


def asset(*parts: str) -> Path:
    """Return the path of the asset `parts`, for example `asset("i18n", "ko.json")`."""
    return _root().joinpath(*parts)
