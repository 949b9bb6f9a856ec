"""Counts the letters of words, and writes the scores by which voxlint tells words from random letters.

    pip install wordfreq==3.1.1
    python3 scripts/letters.py [--check]

Every tenth word is left out of the count. The table that this prints says how many of these words would be masked if each stood
alone, and how many words of random letters would be shown. `--check` writes nothing, and fails if the scores are others than those
of the committed file. Nothing runs this regularly: the words of the repository count as well, and new ones rarely matter.
"""

import collections
import json
import math
import random
import re
import sys
import unicodedata
from pathlib import Path

import wordfreq

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "crates/voxlint/src/secret/letters.txt"

# The languages with Latin letters that have the longest lists, and how much their words count. Documents are mostly in the first ones.
LANGUAGES = {"en": 3, "de": 2, "es": 2, "fr": 1, "it": 1, "pt": 1, "nl": 1, "pl": 1, "sv": 1, "cs": 1, "fi": 1}
WORDS = 40_000
# The names in documents and pages are few, and nearest to what must be shown.
WEIGHT_OF_OWN_WORDS = 40
WEIGHT_OF_TRANSCRIBED_WORDS = 3

# The scores of a file are whole bits between these, written as one digit each.
LEAST, MOST = -6, 3
# The probability of the end of a word among random letters: their mean length is about eight.
END = 0.12

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EDGE = "^"


def plain(word):
    """The word in the letters a to z; `None` if it has others."""
    word = word.replace("ß", "ss").replace("ł", "l").replace("ø", "o")
    word = unicodedata.normalize("NFD", word)
    word = "".join(it for it in word if not unicodedata.combining(it))
    return word if re.fullmatch("[a-z]{3,}", word) else None


def transcribed(word):
    """A German word as people write it without umlauts; `None` if it has none."""
    if not re.search("[äöüß]", word):
        return None
    for letter, written in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        word = word.replace(letter, written)
    return word if re.fullmatch("[a-z]{3,}", word) else None


def own_words():
    """The words of the fixtures without secrets, and of the pages."""
    texts = []

    def visit(value):
        if isinstance(value, dict):
            for name, inner in value.items():
                texts.append(name)
                visit(inner)
        elif isinstance(value, list):
            for inner in value:
                visit(inner)
        elif isinstance(value, str):
            texts.append(value)

    for path in sorted((ROOT / "fixtures").rglob("*.json")):
        if not re.search("secret|leaked|card-or", str(path.relative_to(ROOT))):
            try:
                visit(json.loads(path.read_text(encoding="utf-8")))
            except ValueError:
                continue
    pages = [path for folder in (ROOT, ROOT / "docs") for path in sorted(folder.glob("*.md"))]
    texts.extend(path.read_text(encoding="utf-8") for path in pages)
    words = set()
    for text in texts:
        for name in re.findall("[A-Za-z]+", text):
            words.update(part.lower() for part in re.findall("[A-Z]?[a-z]+|[A-Z]+", name))
    return sorted(word for word in words if 3 <= len(word) < 25)


class Scores:
    """How much more likely a letter is behind two others in a word than among random letters, in bits."""

    def __init__(self, weighted):
        self.threes, self.twos, self.ones = (collections.Counter() for _ in range(3))
        for word, weight in weighted:
            marked = EDGE + word + EDGE
            for three in zip(marked, marked[1:], marked[2:]):
                self.threes[three] += weight
            for two in zip(marked, marked[1:]):
                self.twos[two] += weight
                self.ones[two[1]] += weight
        self.behind_two, self.behind_one = collections.Counter(), collections.Counter()
        for (first, second, _), count in self.threes.items():
            self.behind_two[first, second] += count
        for (first, _), count in self.twos.items():
            self.behind_one[first] += count
        self.all = sum(self.ones.values())

    def probability(self, first, second, third):
        """Rare groups of letters are estimated from shorter ones."""
        of_one = self.ones[third] / self.all
        of_two = (self.twos[second, third] + 3 * of_one) / (self.behind_one[second] + 3)
        return (self.threes[first, second, third] + 20 * of_two) / (self.behind_two[first, second] + 20)

    def score(self, first, second, third):
        by_chance = END if third == EDGE else 1 / len(LETTERS)
        bits = round(math.log2(self.probability(first, second, third) / by_chance))
        return max(LEAST, min(MOST, bits))

    def of_word(self, word):
        marked = EDGE + word + EDGE
        return sum(self.score(*three) for three in zip(marked, marked[1:], marked[2:]))

    def lines(self):
        columns = EDGE + LETTERS
        for first in columns:
            for second in LETTERS:
                yield "".join(str(self.score(first, second, third) - LEAST) for third in columns)


def main():
    counted, held_out = [], {}
    for language, weight in LANGUAGES.items():
        words = (plain(word) for word in wordfreq.top_n_list(language, WORDS))
        words = list(dict.fromkeys(word for word in words if word))
        held_out[language] = words[5::10]
        counted += [(word, weight) for at, word in enumerate(words) if at % 10 != 5]
    words = (transcribed(word) for word in wordfreq.top_n_list("de", WORDS))
    held = set(held_out["de"])
    counted += [(word, WEIGHT_OF_TRANSCRIBED_WORDS) for word in words if word and word not in held]
    # Random values of fixtures do not count.
    of_languages = Scores(counted)
    own = [word for word in own_words() if of_languages.of_word(word) > LEAST]
    scores = Scores(counted + [(word, WEIGHT_OF_OWN_WORDS) for word in own])

    dice = random.Random(1)
    least = {6: -2, 7: -1, 8: 0, 10: 1, 12: 2}
    languages = list(LANGUAGES)
    print(f"{len(own)} words of the repository")
    print("| letters | random letters shown | " + " | ".join(f"{it} masked" for it in languages) + " |")
    print("|---:" * (len(languages) + 2) + "|")
    for length, limit in least.items():
        made = ("".join(dice.choices(LETTERS, k=length)) for _ in range(20_000))
        shown = sum(scores.of_word(word) >= limit for word in made) / 20_000
        cells = [f"{100 * shown:.2f} %"]
        for language in languages:
            words = [word for word in held_out[language] if len(word) == length]
            masked = sum(scores.of_word(word) < limit for word in words)
            cells.append(f"{100 * masked / max(1, len(words)):.1f} %")
        print(f"| {length} | " + " | ".join(cells) + " |")

    text = "".join(line + "\n" for line in scores.lines())
    if "--check" in sys.argv[1:]:
        if text != TARGET.read_text(encoding="utf-8"):
            sys.exit(f"{TARGET.relative_to(ROOT)} has other scores")
    else:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
