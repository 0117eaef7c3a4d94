"""Fetch introductions from Wikipedia, through the MediaWiki API, as documents about entities.

The API is asked for plain text of the part before the first heading; parsing pages was rejected. At most 20 articles a
call, which is the API's limit for introductions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.net.http_budget import Polite
from claimgraph.kgstore.net.retries import Again, refused, seconds_until

MOST_ARTICLES = 20


class Encyclopedia:
    """The encyclopedia of one language, queried politely."""

    def __init__(self, url: str, polite: Polite, language: str) -> None:
        self._url, self._polite, self._language = url.replace("{language}", language), polite, language

    def introductions(self, articles: Mapping[str, str]) -> list[tuple[str, Document]]:
        """Introductions by entity id, of at most MOST_ARTICLES addresses; articles that have none are missing.

        Raises Unanswered.
        """
        titles = {unquote(address.rpartition("/wiki/")[2]).replace("_", " "): key for key, address in articles.items()}
        texts = self._texts(list(titles)) if titles else {}
        found = []
        for title, text in texts.items():
            entity = titles[title]
            document = Document(document_id(text), text, title, articles[entity], self._language)
            found.append((entity, document))
        return sorted(found, key=lambda pair: pair[0])

    def _texts(self, titles: list[str]) -> dict[str, str]:
        """Return plain text by the requested title, whatever the article's current title."""
        asked = {
            "action": "query",
            "prop": "extracts",
            "exintro": "1",
            "explaintext": "1",
            "exlimit": str(MOST_ARTICLES),
            "redirects": "1",
            "maxlag": "5",
            "format": "json",
            "formatversion": "2",
            "titles": "|".join(titles),
        }
        answer = self._ask(asked)
        texts = {page["title"]: page["extract"].strip() for page in answer.get("pages", ()) if page.get("extract")}
        renamed = {row["from"]: row["to"] for kind in ("normalized", "redirects") for row in answer.get(kind, ())}
        now = {title: _followed(renamed, title) for title in titles}
        return {title: texts[last] for title, last in now.items() if texts.get(last)}

    def _ask(self, asked: Mapping[str, str]) -> Mapping[str, Any]:
        import httpx

        agent = self._polite.agent

        def once(seconds: float) -> Mapping[str, Any]:
            try:
                answer = httpx.post(
                    self._url, data=dict(asked), headers={"User-Agent": agent}, timeout=seconds, follow_redirects=True
                )
            except httpx.TimeoutException as error:
                raise Again("no answer in time") from error
            except httpx.HTTPError as error:
                raise Again(f"no connection: {error}") from error
            if answer.status_code != 200:
                raise refused(answer.status_code, answer.headers.get("Retry-After"), answer.text)
            return _read(answer)

        return self._polite.ask(self._url, once)


def _read(answer: Any) -> Mapping[str, Any]:
    """Return the value under `query`; overloaded servers report an error with code 200."""
    try:
        said = answer.json()
        if "error" in said:
            raise Again(said["error"].get("info", "an error"), seconds_until(answer.headers.get("Retry-After")))
        found: Mapping[str, Any] = said["query"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Again("an answer that is not the API's JSON") from error
    return found


def _followed(renamed: Mapping[str, str], title: str) -> str:
    for _ in renamed:
        if title not in renamed:
            break
        title = renamed[title]
    return title
