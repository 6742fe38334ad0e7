"""The reasons of Search Console, in the languages that urlset knows.

A text is compared without case, punctuation, and spaces, since exports differ in dashes and quotes. A text that is not
here stays as it is, and its URLs have no known state.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from urlset.model.coverage import IndexReason, IndexState

if TYPE_CHECKING:
    from collections.abc import Mapping

# English: https://support.google.com/webmasters/answer/7440203 and the values of `coverageState` of the API.
# German, French, Spanish, and Japanese: the same page with `hl`, and real exports.
_TEXTS: Mapping[IndexReason, tuple[str, ...]] = {
    IndexReason.SUBMITTED_AND_INDEXED: (
        "Submitted and indexed",
        "Gesendet und indexiert",
        "Envoyée et indexée",
        "Enviada e indexada",
        "送信して登録されました",
    ),
    IndexReason.INDEXED_NOT_SUBMITTED: (
        "Indexed, not submitted in sitemap",
        "Indexiert, nicht in Sitemap eingereicht",
        "Indexiert, nicht in Sitemap gesendet",
        "Indexée, mais non envoyée via un sitemap",
        "Indexada, no enviada en sitemap",
        "インデックスに登録済み、サイトマップに送信していない",
    ),
    IndexReason.INDEXED_THOUGH_BLOCKED: (
        "Indexed, though blocked by robots.txt",
        "Indexiert, obwohl durch robots.txt-Datei blockiert",
        "Indexée malgré le blocage par le fichier robots.txt",
        "Indexada aunque un archivo robots.txt la ha bloqueado",
        "robots.txt によりブロックされましたが、インデックスに登録しました",
    ),
    IndexReason.INDEXED_WITHOUT_CONTENT: (
        "Page indexed without content",
        "Indexed without content",
        "Seite ohne Inhalt indexiert",
        "Page indexée sans contenu",
        "Página indexada sin contenido",
        "コンテンツなしでインデックスに登録されたページ",
    ),
    IndexReason.CRAWLED_NOT_INDEXED: (
        "Crawled - currently not indexed",
        "Gecrawlt – zurzeit nicht indexiert",
        "Explorée, actuellement non indexée",
        "Rastreada: actualmente sin indexar",
        "クロール済み - インデックス未登録",
    ),
    IndexReason.DISCOVERED_NOT_INDEXED: (
        "Discovered - currently not indexed",
        "Gefunden – zurzeit nicht indexiert",
        "Détectée, actuellement non indexée",
        "Descubierta: actualmente sin indexar",
        "検出 - インデックス未登録",
    ),
    IndexReason.UNKNOWN_TO_ENGINE: (
        "URL is unknown to Google",
        "URL ist Google nicht bekannt",
        "Google ne reconnaît pas cette URL",
        "Google no reconoce esta URL",
        "URL が Google に認識されていません",
    ),
    IndexReason.ALTERNATE_CANONICAL: (
        "Alternate page with proper canonical tag",
        "Alternative Seite mit richtigem kanonischen Tag",
        "Autre page avec balise canonique correcte",
        "Página alternativa con etiqueta canónica adecuada",
        "代替ページ（適切な canonical タグあり）",
    ),
    IndexReason.DUPLICATE_WITHOUT_CANONICAL: (
        "Duplicate without user-selected canonical",
        "Duplikat – vom Nutzer nicht als kanonisch festgelegt",
        "Page en double sans URL canonique sélectionnée par l'utilisateur",
        "Duplicada: el usuario no ha indicado ninguna versión canónica",
        "重複しています。ユーザーにより、正規ページとして選択されていません",
    ),
    IndexReason.DUPLICATE_OTHER_CANONICAL: (
        "Duplicate, Google chose different canonical than user",
        "Duplicate, submitted URL not selected as canonical",
        "Duplikat – Google hat eine andere Seite als der Nutzer als kanonische Seite bestimmt",
        "Page en double : Google n'a pas choisi la même URL canonique que l'utilisateur",
        "Duplicada: Google ha elegido una versión canónica diferente a la del usuario",
        "重複しています。Google により、ユーザーがマークしたページとは異なるページが正規ページとして選択されました",
    ),
    IndexReason.NOINDEX: (
        "Excluded by 'noindex' tag",
        "Submitted URL marked 'noindex'",
        'Durch "noindex"-Tag ausgeschlossen',
        'Exclue par la balise "noindex"',
        'Excluida por una etiqueta "noindex"',
        "noindex タグによって除外されました",
    ),
    IndexReason.BLOCKED_BY_ROBOTS: (
        "Blocked by robots.txt",
        "Submitted URL blocked by robots.txt",
        "Durch robots.txt-Datei blockiert",
        "Bloquée par le fichier robots.txt",
        "Bloqueada por robots.txt",
        "robots.txt によりブロックされました",
    ),
    IndexReason.REDIRECT: (
        "Page with redirect",
        "Seite mit Weiterleitung",
        "Page avec redirection",
        "Página con redirección",
        "ページにリダイレクトがあります",
    ),
    IndexReason.REDIRECT_ERROR: (
        "Redirect error",
        "Umleitungsfehler",
        "Erreur liée à des redirections",
        "Error de redirección",
        "リダイレクト エラー",
    ),
    IndexReason.NOT_FOUND: (
        "Not found (404)",
        "Nicht gefunden (404)",
        "Introuvable (404)",
        "No se ha encontrado (404)",
        "見つかりませんでした（404）",
    ),
    IndexReason.SOFT_404: ("Soft 404", "ソフト 404"),
    IndexReason.UNAUTHORIZED: (
        "Blocked due to unauthorized request (401)",
        "Blockiert wegen nicht autorisierter Anforderung (401)",
        "Bloquée en raison d'une demande non autorisée (401)",
        "Se ha bloqueado debido a una solicitud no autorizada (401)",
        "未承認のリクエスト（401）が原因でブロックされました",
    ),
    IndexReason.FORBIDDEN: (
        "Blocked due to access forbidden (403)",
        "Blockiert wegen Zugriffsverbot (403)",
        "Bloquée en raison d'un accès interdit (403)",
        "Se ha bloqueado debido a un acceso prohibido (403)",
        "アクセス禁止（403）が原因でブロックされました",
    ),
    IndexReason.OTHER_4XX: (
        "Blocked due to other 4xx issue",
        "Blockiert aufgrund eines anderen 4xx-Problems",
        "Bloquée en raison d'un autre problème 4xx",
        "URL bloqueada debido a otro problema de tipo 4xx",
        "他の 4xx の問題が原因でブロックされました",
    ),
    IndexReason.SERVER_ERROR: (
        "Server error (5xx)",
        "Serverfehler (5xx)",
        "Erreur serveur (5xx)",
        "Error del servidor (5xx)",
        "サーバーエラー（5xx）",
    ),
    IndexReason.REMOVED: (
        "Blocked by page removal tool",
        "Durch Tool zum Entfernen von Seiten blockiert",
        "Bloquée par l'outil de suppression de pages",
        "Bloqueada por la herramienta de retirada de páginas",
        "ページ削除ツールによりブロックされました",
    ),
}

_STATES: Mapping[IndexState, tuple[str, ...]] = {
    IndexState.INDEXED: ("indexed", "yes", "true", "1", "URL is on Google"),
    IndexState.NOT_INDEXED: ("not-indexed", "no", "false", "0", "URL is not on Google", "excluded", "unindexed"),
}
"""States in a column of a CSV file."""


def reason_of(text: str) -> IndexReason | None:
    """Return the reason that a text of Search Console states, in any language that urlset knows.

    Example:
        >>> reason_of("Crawled – currently not indexed")
        <IndexReason.CRAWLED_NOT_INDEXED: 'crawled-not-indexed'>
        >>> reason_of("A reason of next year") is None
        True
    """
    return _reasons().get(_normalize(text))


def state_of(text: str) -> IndexState | None:
    """Return the state that a text states; None if it is unknown."""
    return _states().get(_normalize(text))


@cache
def _states() -> Mapping[str, IndexState]:
    states = {_normalize(text): state for state, texts in _STATES.items() for text in texts}
    return states | {plain: reason.state for plain, reason in _reasons().items()}


@cache
def _reasons() -> Mapping[str, IndexReason]:
    reasons = {_normalize(reason.value): reason for reason in IndexReason}
    return reasons | {_normalize(text): reason for reason, texts in _TEXTS.items() for text in texts}


def _normalize(text: str) -> str:
    """Return the letters and digits of a text, without case and with half-width forms."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())
