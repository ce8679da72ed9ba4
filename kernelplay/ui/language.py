"""The language of the window: our own sentences, and those of Qt's dialogs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFontDatabase

from kernelplay import i18n
from kernelplay.i18n import Say, say, verbatim
from kernelplay.ui.qt_words import QtWords

_installed: list[QTranslator] = []


def use(language: str) -> None:
    """Speak `language` from now on; Qt's own words ("Cancel", "File name") follow where it has them."""
    i18n.use(language)
    while _installed:
        before = _installed.pop()
        QCoreApplication.removeTranslator(before)
        before.deleteLater()
    QLocale.setDefault(QLocale.system() if language in ("en", i18n.PSEUDO) else QLocale(language))  # of dates of files
    if language in i18n.LANGUAGES and language != "en":
        app = QCoreApplication.instance()
        translator = QTranslator(app)
        translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        for each in (QtWords(language, app), translator):  # the last one is asked first
            QCoreApplication.installTranslator(each)
            _installed.append(each)


def font_missing(language: str) -> Say | None:
    """Return that no font has the letters of `language`, in English since that can be read; None if one has."""
    system = {"ko": QFontDatabase.WritingSystem.Korean, "ja": QFontDatabase.WritingSystem.Japanese}.get(language)
    if system is None or QFontDatabase.families(system):
        return None
    sentence = say("No installed font supports this language: install one, such as Noto Sans CJK.")
    return verbatim(sentence.text("en"))


def preferred(flag: str | None, setting: str) -> str:
    """Return the language to start in: the flag, else what was chosen last, else the first the system asks for."""
    wanted = [flag or "", setting, *QLocale.system().uiLanguages()]
    return next((code for name in wanted if (code := name.replace("_", "-").split("-")[0]) in i18n.LANGUAGES), "en")
