"""The page: HTML that fetches nothing, its pictures inside it, and whatever players call themselves escaped."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from agents.ladder.ratings.figures import Pairing, pairing
from agents.ladder.ratings.standings import GameStandings, Standing
from agents.ladder.ratings.views import views_of
from agents.statistics import Mean
from arcade.reports.pictures import Picture

MOST_PLAYERS = 60
"""Whose records the page lists one by one; the tables beside it have everyone's."""

MOST_RINGS = 50

STYLE = """
:root { color-scheme: light }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 1200px; margin: 2em auto;
  padding: 0 1.5em }
h2 { border-top: 2px solid #0072B2; padding-top: .6em; margin-top: 2em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1em 0 }
caption { text-align: left; color: #555; padding-bottom: .4em }
th, td { padding: .25em .6em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
.name, .word { text-align: left }
.name { overflow-wrap: break-word; white-space: normal; min-width: 6em; max-width: 24em; unicode-bidi: isolate }
img { max-width: 100%; height: auto; display: block }
figure { margin: 1.5em 0 } figcaption, .note { color: #555 }
.wide { overflow-x: auto } summary { cursor: pointer; padding: .2em 0; overflow-wrap: anywhere }
@media screen and (max-width: 700px) {
  .name { max-width: 9em } figure .wide img { max-width: none; width: 720px }
}
@media print { details { display: block } }
"""

Part = tuple[GameStandings, str, Sequence[Picture]]
"""One game's standings, the folder of its files, and its pictures."""


def page_of(parts: Sequence[Part]) -> str:
    """The whole page, a chapter a game."""
    body = "\n".join(line for part in parts for line in _chapter(*part))
    titles = ", ".join(_title(standings) for standings, _, _ in parts) or "no game"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ladder: {escape(titles)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Ladder</h1>
{_contents(parts)}
{body}
</body>
</html>
"""


def _title(standings: GameStandings) -> str:
    return standings.facts.title or standings.facts.id


def _contents(parts: Sequence[Part]) -> str:
    rows = (
        f'<li><a href="#{folder}">{escape(_title(standings))}</a>: {len(standings.table):,} players, '
        f"{standings.matches:,} matches</li>"
        for standings, folder, _ in parts
    )
    return f"<ul>{''.join(rows)}</ul>"


def _chapter(standings: GameStandings, folder: str, pictures: Sequence[Picture]) -> Iterator[str]:
    yield f'<h2 id="{folder}">{escape(_title(standings))}</h2>'
    yield f"<p>{escape(_facts(standings))}</p>"
    if not standings.table:
        yield "<p>No match of this game rates anybody yet.</p>"
        return
    yield _scores(standings) if standings.facts.cooperative else _ratings(standings)
    yield from (_figure(picture) for picture in pictures)
    if not standings.facts.cooperative:
        yield _rings(standings)
        yield from _records(standings)
    files = ", ".join(f"<code>{folder}/{escape(name)}.csv</code>" for name in views_of(standings))
    yield f'<p class="note">All of it as tables: {files}.</p>'


def _facts(standings: GameStandings) -> str:
    parts = [f"{standings.facts.id}: {standings.matches:,} matches count, up to result {standings.last:,}"]
    if standings.left_out:
        parts.append(f"{standings.left_out:,} do not, being broken off or with seats that changed hands")
    if standings.first_seat is not None:
        elo, low, high = standings.first_seat
        parts.append(f"sitting first is worth {elo:+.0f} Elo (95 % interval {low:+.0f} to {high:+.0f})")
    if standings.batch is not None and standings.matches:
        parts.append(f"two equals draw {standings.batch.draw:.0%} of their matches")
        if not standings.batch.converged:
            parts.append("the figures over all matches are not the best fit: its search ran out of rounds")
    if standings.facts.roles:
        parts.append("everyone is rated in each role by itself")
    return ". ".join(part[0].upper() + part[1:] if place else part for place, part in enumerate(parts)) + "."


def _ratings(standings: GameStandings) -> str:
    heads = ("", "Player", "Kind", "OpenSkill", "Elo over all matches", "Elo", "Games", "Won", "Drawn", "Lost")
    rows = (_rating_row(place, one) for place, one in enumerate(standings.table, 1))
    caption = "Ratings with 95 % intervals; who is surely strong (mu - 3 sigma) stands first"
    return _table(caption, heads, rows, names=(1,), words=(2,))


def _rating_row(place: int, one: Standing) -> tuple[str, ...]:
    rating, batch = one.rating, one.batch
    assert rating is not None  # a versus game
    return (
        f"{place}", one.name, one.kind, f"{rating.mu:.1f} ± {rating.high - rating.mu:.1f}",
        f"{batch.elo:.0f} ({batch.low:.0f} to {batch.high:.0f})" if batch is not None else "", f"{rating.elo:.0f}",
        *(f"{count:,}" for count in (rating.games, rating.wins, rating.draws, rating.losses)),
    )  # fmt: skip


def _scores(standings: GameStandings) -> str:
    heads = ("", "Player", "Kind", "Every seat its own", "Matches", "With others", "Matches")
    rows = (
        (f"{place}", one.name, one.kind, *_mean(one.score.alone), *_mean(one.score.mixed))
        for place, one in enumerate(standings.table, 1)
        if one.score is not None
    )
    return _table("Mean scores of a match with 95 % intervals", heads, rows, names=(1,), words=(2,))


def _mean(mean: Mean | None) -> tuple[str, str]:
    if mean is None:
        return "–", "0"
    sure = "" if mean.low is None or mean.high is None else f" ({mean.low:.4g} to {mean.high:.4g})"
    return f"{mean.mean:.4g}{sure}", f"{mean.count:,}"


def _rings(standings: GameStandings) -> str:
    assert standings.matrix is not None
    cycles = standings.matrix.cycles()
    if not cycles:
        return '<p class="note">Rings: none is sure; nobody beats one who beats one who beats them.</p>'
    heads = ("First", "beats", "beats", "Rates, the last against the first", "Surely above")
    rows = ((*one.labels, ", ".join(f"{rate:.0%}" for rate in one.rates), f"{one.low:.0%}") for one in cycles)
    many = f"The surest of {len(cycles):,} rings" if len(cycles) > MOST_RINGS else "Rings: each beats the next"
    return _table(many, heads, list(rows)[:MOST_RINGS], names=(0, 1, 2))


def _records(standings: GameStandings) -> Iterator[str]:
    """Each player against each it has met."""
    yield "<h3>Head to head, player by player</h3>"
    names = [one.name for one in standings.table]
    if len(names) > MOST_PLAYERS:
        yield f'<p class="note">Of the {MOST_PLAYERS} first; the table matrix.csv has everyone.</p>'
    heads = ("Against", "Won", "Drawn", "Lost", "Share", "95 % interval", "Expected")
    for name in names[:MOST_PLAYERS]:
        met = [found for other in names if other != name and (found := pairing(standings, name, other)).record.games]
        rows = (_record_row(found) for found in met)
        yield f"<details><summary><bdi>{escape(name)}</bdi></summary>{_table('', heads, rows, names=(0,))}</details>"


def _record_row(found: Pairing) -> tuple[str, ...]:
    record = found.record
    expected = "" if found.expected is None or math.isnan(found.expected) else f"{found.expected:.0%}"
    counts = (f"{count:,}" for count in (record.wins, record.draws, record.losses))
    return found.other, *counts, f"{record.rate:.0%}", f"{record.low:.0%} to {record.high:.0%}", expected


def _figure(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode()
    title, note = escape(picture.title), escape(picture.note)
    image = f'<img alt="{title}. {note}" src="data:image/png;base64,{data}">'
    return f'<h3>{title}</h3><figure><div class="wide">{image}</div><figcaption>{note}</figcaption></figure>'


def _table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    names: Sequence[int],
    words: Sequence[int] = (),
) -> str:
    """Escapes all; `names`: the columns that hold names of any length, `words` short words, all others figures."""
    kinds = ["" for _ in heads]
    for place in (*names, *words):
        kinds[place] = ' class="name"' if place in names else ' class="word"'
    head = "".join(f'<th scope="col"{kind}>{escape(word)}</th>' for kind, word in zip(kinds, heads, strict=True))
    lines = ("".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in rows)
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide"><table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
