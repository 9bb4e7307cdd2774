"""Writes starter.jsonl: each task has a reference (A, the text in the task) and a second, independently written
implementation (B, the function in this file). Expected outputs come from B; A has to agree with it on every input.

    python3 data/starter/make_starter.py
"""

import collections
import copy
import datetime
import functools
import itertools
import json
import os
import random
import re
import statistics
import textwrap
from fractions import Fraction

TASKS = []


def encode(value):
    """The encoding of schemas/task.ts."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"i": str(value)}
    if isinstance(value, float):
        return {"f": repr(value)}
    if isinstance(value, complex):
        return {"c": [repr(value.real), repr(value.imag)]}
    if isinstance(value, (bytes, bytearray)):
        return {"b": bytes(value).hex()}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"t": [encode(item) for item in value]}
    if isinstance(value, set):
        return {"s": [encode(item) for item in sorted(value)]}
    if isinstance(value, frozenset):
        return {"fs": [encode(item) for item in sorted(value)]}
    if isinstance(value, dict):
        return {"d": [[encode(key), encode(item)] for key, item in value.items()]}
    raise TypeError(type(value))


def task(text, reference, base, plus, more=None, count=0, atol=None):
    """Registers implementation B. `more(rng)` makes one random argument tuple; `count` of them join `plus`."""

    def register(second):
        rng = random.Random(second.__name__)
        cases = [tuple(args) for args in plus] + [more(rng) for _ in range(count)]
        TASKS.append((second.__name__, " ".join(text.split()), textwrap.dedent(reference).strip() + "\n", second, base, cases, atol))
        return second

    return register


def letters(rng, length, alphabet="abcde"):
    return "".join(rng.choice(alphabet) for _ in range(length))


def ints(rng, length, low=-20, high=20):
    return [rng.randint(low, high) for _ in range(length)]


def random_game(rng):
    rolls = []
    for frame in range(1, 11):
        first = rng.choice([10, rng.randint(0, 9), rng.randint(0, 9)])
        second = 0 if first == 10 else rng.choice([10 - first, rng.randint(0, 10 - first)])
        rolls += [first] if first == 10 else [first, second]
        if frame == 10:
            rolls += [rng.randint(0, 5), rng.randint(0, 5)] if first == 10 else [rng.randint(0, 10)] if first + second == 10 else []
    return rolls


# ---- sequences ----------------------------------------------------------------------------------------------------------


@task(
    """Write a function to count the maximal runs of at least two neighbouring values in a list in which every value is
    strictly larger than the one before it.""",
    """
    def count_rising_runs(values):
        runs = 0
        rising = False
        for before, after in zip(values, values[1:]):
            if after > before and not rising:
                runs += 1
            rising = after > before
        return runs
    """,
    [([1, 2, 3, 1, 2],), ([3, 2, 1],), ([1, 2],)],
    [([],), ([5],), ([1, 1],), ([1, 1, 2, 2, 3],), ([1, 2, 2, 3],), ([-3, -2, -1],), ([0.5, 1.5, 1.0, 2.0],), ([1, 3, 2, 4, 3, 5],)],
    lambda rng: (ints(rng, rng.randint(0, 25), 0, 6),),
    14,
)
def count_rising_runs(values):
    signs = "".join("u" if b > a else "-" for a, b in itertools.pairwise(values))
    return len(re.findall("u+", signs))


@task(
    """Write a function to replace every value of a list by the median of the window of the given odd size that is centred on it.
    At the ends the window is cut to the values that exist. The median of an even number of values is the mean of the middle two.""",
    """
    def centred_medians(values, size):
        half = size // 2
        result = []
        for index in range(len(values)):
            window = sorted(values[max(0, index - half):index + half + 1])
            middle = len(window) // 2
            if len(window) % 2 == 1:
                result.append(window[middle])
            else:
                result.append((window[middle - 1] + window[middle]) / 2)
        return result
    """,
    [([5, 1, 9, 3], 3), ([4, 2], 1), ([1, 2, 3, 4, 5], 5)],
    [([], 3), ([7], 3), ([7], 1), ([1, 2], 3), ([3, 3, 3], 3), ([-1, -5, 2, 8], 3), ([1.5, 2.5, 0.5], 3), ([9, 1, 8], 7)],
    lambda rng: (ints(rng, rng.randint(0, 12)), rng.choice([1, 3, 5, 7])),
    14,
)
def centred_medians(values, size):
    half = (size - 1) // 2
    cut = [[v for j, v in enumerate(values) if abs(i - j) <= half] for i in range(len(values))]
    return [statistics.median(window) for window in cut]


@task(
    """Write a function to find, for every value of a list, how many steps to the right the first strictly larger value is. Where
    there is no larger value to the right, the answer is 0.""",
    """
    def steps_to_larger(values):
        steps = [0] * len(values)
        waiting = []
        for index, value in enumerate(values):
            while waiting and values[waiting[-1]] < value:
                earlier = waiting.pop()
                steps[earlier] = index - earlier
            waiting.append(index)
        return steps
    """,
    [([3, 1, 2, 4],), ([5, 4, 3],), ([1, 1, 2],)],
    [([],), ([1],), ([2, 2],), ([1, 2, 3, 4],), ([4, 1, 1, 1, 5],), ([-1, -2, 0],), ([0, 0, 0, 1],)],
    lambda rng: (ints(rng, rng.randint(0, 20), 0, 9),),
    14,
)
def steps_to_larger(values):
    return [next((j - i for j in range(i + 1, len(values)) if values[j] > values[i]), 0) for i in range(len(values))]


@task(
    """Write a function to turn a list of lists of unequal lengths into its columns: the first result holds the first item of every
    row, and so on. Where a row is too short, the given filler stands in its place.""",
    """
    def ragged_columns(rows, filler):
        width = max((len(row) for row in rows), default=0)
        columns = []
        for column in range(width):
            columns.append([row[column] if column < len(row) else filler for row in rows])
        return columns
    """,
    [([[1, 2, 3], [4]], 0), ([["a"], ["b", "c"]], "-"), ([[1], [2]], None)],
    [([], 0), ([[]], 0), ([[], []], 1), ([[], [1]], 0), ([[None, 1], [2]], 9), ([[1, 2], [3, 4]], 0), ([[[1]], []], [])],
    lambda rng: ([ints(rng, rng.randint(0, 5), 0, 9) for _ in range(rng.randint(0, 5))], rng.choice([0, -1, None, "x"])),
    12,
)
def ragged_columns(rows, filler):
    return [list(column) for column in itertools.zip_longest(*rows, fillvalue=filler)]


@task(
    """Write a function to list every value of an arbitrarily nested list together with its depth, as (value, depth) tuples from left
    to right. Values directly in the outer list have depth 1.""",
    """
    def values_with_depth(nested):
        found = []

        def walk(items, depth):
            for item in items:
                if isinstance(item, list):
                    walk(item, depth + 1)
                else:
                    found.append((item, depth))

        walk(nested, 1)
        return found
    """,
    [([1, [2, [3]]],), ([],), (["a", ["b"], "c"],)],
    [([[]],), ([[[]], [[]]],), ([[[[7]]]],), ([1, 2, 3],), ([(1, 2), [(3,)]],), ([None, [None]],), ([[1], [[2]], [[[3]]], 4],), ([True, [False]],)]
    + [([[1, [2]] * n],) for n in range(1, 9)],
)
def values_with_depth(nested):
    stack, out = [(item, 1) for item in reversed(nested)], []
    while stack:
        item, depth = stack.pop()
        if type(item) is list:
            stack.extend((inner, depth + 1) for inner in reversed(item))
        else:
            out.append((item, depth))
    return out


@task(
    """Write a function to deal the items of a list to a given number of players, one after the other, and return the list of hands.
    Items that would give some players one more than others are not dealt.""",
    """
    def deal_evenly(items, players):
        rounds = len(items) // players
        return [[items[turn * players + player] for turn in range(rounds)] for player in range(players)]
    """,
    [([1, 2, 3, 4, 5], 2), (["a", "b"], 3), ([1, 2, 3], 1)],
    [([], 1), ([], 4), ([1], 1), ([1], 2), ([1, 2, 3, 4], 4), ([1, 2, 3, 4], 5), (list(range(12)), 3), ([None, True], 2)],
    lambda rng: (ints(rng, rng.randint(0, 20)), rng.randint(1, 6)),
    12,
)
def deal_evenly(items, players):
    usable = items[: len(items) - len(items) % players]
    return [usable[player::players] for player in range(players)]


@task(
    """Write a function to find the value that occurs most often in each column of a table given as a list of rows of equal
    length. Among equally frequent values the smallest counts.""",
    """
    def column_modes(rows):
        if not rows:
            return []
        modes = []
        for column in range(len(rows[0])):
            values = [row[column] for row in rows]
            modes.append(min(values, key=lambda value: (-values.count(value), value)))
        return modes
    """,
    [([[1, 2], [1, 3], [2, 3]],), ([["a", "b"]],), ([[2], [1]],)],
    [([],), ([[]],), ([[], []],), ([[5]],), ([[1, 1], [2, 2], [3, 3]],), ([[-1, 0], [-1, 1], [0, 1]],), ([["x"], ["y"], ["y"]],)],
    lambda rng: ((lambda width: [ints(rng, width, 0, 3) for _ in range(rng.randint(1, 7))])(rng.randint(1, 4)),),
    14,
)
def column_modes(rows):
    modes = []
    for column in zip(*rows):
        counts = collections.Counter(column)
        top = max(counts.values())
        modes.append(sorted(value for value, count in counts.items() if count == top)[0])
    return modes


# ---- text ---------------------------------------------------------------------------------------------------------------


@task(
    """Write a function to read settings such as "a=1; b = two" into a dictionary of strings. Pieces are separated by semicolons, white
    space around names and values does not count, a later setting replaces an earlier one, pieces without an equals sign or without
    a name are skipped, and a value may hold further equals signs.""",
    """
    def read_settings(text):
        settings = {}
        for piece in text.split(";"):
            name, sign, value = piece.partition("=")
            if sign and name.strip():
                settings[name.strip()] = value.strip()
        return settings
    """,
    [("a=1; b = two",), ("x=1;x=2",), ("novalue; k=v",)],
    [("",), (";;;",), ("=1",), ("a=",), ("a==b",), ("a=b=c",), ("  a  =  b c  ",), ("a=1;",), ("A=1;a=2",), ("a=1;b;c=3",), ("\ta\t=\n1\n",)],
    lambda rng: (letters(rng, rng.randint(0, 18), "ab=; 1"),),
    12,
)
def read_settings(text):
    pairs = re.findall(r"(?:^|;)\s*([^;=]*?)\s*=([^;]*)", text)
    return {name: value.strip() for name, value in pairs if name}


@task(
    """Write a function to expand a text such as "1-3,7" to the list of its integers, [1, 2, 3, 7]. A range whose first number is larger
    than its last one counts down. All numbers are natural numbers; an empty text gives an empty list.""",
    """
    def expand_ranges(text):
        numbers = []
        for part in text.split(",") if text else []:
            ends = [int(end) for end in part.split("-")]
            step = 1 if ends[0] <= ends[-1] else -1
            numbers.extend(range(ends[0], ends[-1] + step, step))
        return numbers
    """,
    [("1-3,7",), ("5-3",), ("4",)],
    [("",), ("0",), ("0-0",), ("9-9,9",), ("10-12,3-1",), ("1,1,1",), ("007-9",), ("100-95",), ("2-1,1-2",)],
    lambda rng: (",".join(rng.choice([f"{rng.randint(0, 30)}", f"{rng.randint(0, 30)}-{rng.randint(0, 30)}"]) for _ in range(rng.randint(1, 5))),),
    12,
)
def expand_ranges(text):
    result = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        current, target = int(first), int(last or first)
        result.append(current)
        while current != target:
            current += 1 if current < target else -1
            result.append(current)
    return result


@task(
    """Write a function to describe a collection of integers as a text such as "1-3,7": in ascending order, each number once, and
    three or more consecutive numbers shortened to their first and last with a hyphen.""",
    """
    def shorten_ranges(numbers):
        parts = []
        run = []
        for number in sorted(set(numbers)) + [None]:
            if run and (number is None or number != run[-1] + 1):
                if len(run) >= 3:
                    parts.append(f"{run[0]}-{run[-1]}")
                else:
                    parts.extend(str(member) for member in run)
                run = []
            run.append(number)
        return ",".join(parts)
    """,
    [([1, 2, 3, 7],), ([5, 4],), ([2, 2, 2],)],
    [([],), ([0],), ([1, 2],), ([3, 2, 1],), ([1, 3, 5],), ([1, 2, 4, 5, 6, 9],), ([10, 11, 12, 13],), ({1, 2, 3},), ((8, 7, 6, 1),)],
    lambda rng: (ints(rng, rng.randint(0, 14), 0, 15),),
    14,
)
def shorten_ranges(numbers):
    ordered = sorted(set(numbers))
    groups = itertools.groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    out = []
    for _, members in groups:
        run = [value for _, value in members]
        out += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(value) for value in run]
    return ",".join(out)


@task(
    """Write a function to write a text in zigzag over a number of rows, one character per column and turning at the first and last
    row, and return the rows read one after the other as one text.""",
    """
    def zigzag_rows(text, rows):
        lines = [""] * rows
        row, step = 0, 1
        for character in text:
            lines[row] += character
            if rows > 1:
                if row + step < 0 or row + step >= rows:
                    step = -step
                row += step
        return "".join(lines)
    """,
    [("abcdefg", 3), ("hello", 1), ("hello", 2)],
    [("", 3), ("a", 5), ("ab", 5), ("abc", 3), ("abcd", 3), ("abcdefghij", 4), ("zigzag zigzag", 3), ("aaaa", 2)],
    lambda rng: (letters(rng, rng.randint(0, 20), "abcdefgh"), rng.randint(1, 6)),
    12,
)
def zigzag_rows(text, rows):
    if rows == 1:
        return text
    period = 2 * rows - 2
    order = sorted(range(len(text)), key=lambda i: (min(i % period, period - i % period), i))
    return "".join(text[i] for i in order)


@task(
    """Write a function to encrypt a text by columns: write it in rows as wide as the key, sort the columns by the key's letters (equal
    letters from left to right), and read column after column from top to bottom. The last row may be incomplete.""",
    """
    def columnar_cipher(text, key):
        order = sorted(range(len(key)), key=lambda position: (key[position], position))
        return "".join(text[position::len(key)] for position in order)
    """,
    [("attackatdawn", "cab"), ("hello", "z"), ("secret", "ba")],
    [("", "abc"), ("a", "cba"), ("ab", "cba"), ("abcdef", "aaa"), ("abcdefg", "bab"), ("with spaces here", "key"), ("xyz", "dcba")],
    lambda rng: (letters(rng, rng.randint(0, 20), "abcdefgh"), letters(rng, rng.randint(1, 5))),
    12,
)
def columnar_cipher(text, key):
    columns = [[] for _ in key]
    for index, character in enumerate(text):
        columns[index % len(key)].append(character)
    labelled = sorted(zip(key, range(len(key)), columns), key=lambda item: item[:2])
    return "".join("".join(column) for _, _, column in labelled)


@task(
    """Write a function to break a text into lines of at most the given width, filling each line with as many whole words as fit, one
    space between them. A word longer than the width stands alone on its line. Words are separated by white space.""",
    """
    def fill_lines(text, width):
        lines = []
        current = ""
        for word in text.split():
            if current and len(current) + 1 + len(word) <= width:
                current += " " + word
            else:
                if current:
                    lines.append(current)
                current = word
        if current:
            lines.append(current)
        return lines
    """,
    [("the quick brown fox", 9), ("a b c", 1), ("word", 10)],
    [("", 5), ("   ", 5), ("toolongword a", 4), ("a toolongword", 4), ("aa bb cc", 5), ("aa bb cc", 8), ("aa  bb\ncc\tdd", 5), ("a" * 10, 3)],
    lambda rng: (" ".join(letters(rng, rng.randint(1, 6)) for _ in range(rng.randint(0, 10))), rng.randint(1, 14)),
    14,
)
def fill_lines(text, width):
    words, lines = text.split(), []
    while words:
        taken = max([1] + [n for n in range(1, len(words) + 1) if len(" ".join(words[:n])) <= width])
        lines.append(" ".join(words[:taken]))
        words = words[taken:]
    return lines


@task(
    """Write a function to check whether the tags in a text such as "<a><b></b></a>" are properly nested and closed. A tag's name is made of
    lower-case letters, everything outside of tags does not count.""",
    """
    import re

    def tags_are_nested(text):
        open_tags = []
        for slash, name in re.findall(r"<(/?)([a-z]+)>", text):
            if not slash:
                open_tags.append(name)
            elif not open_tags or open_tags.pop() != name:
                return False
        return not open_tags
    """,
    [("<a><b></b></a>",), ("<a><b></a></b>",), ("plain",)],
    [("",), ("<a>",), ("</a>",), ("<a></a><a></a>",), ("<a></b>",), ("<a>text</a>",), ("<A></B>",), ("< a>",), ("<a><a></a></a>",), ("<ab></ab>",), ("<a></a></a>",)],
    lambda rng: ("".join(rng.choice(["<a>", "</a>", "<b>", "</b>", "x"]) for _ in range(rng.randint(0, 6))),),
    14,
)
def tags_are_nested(text):
    tags = "".join(re.findall(r"</?[a-z]+>", text))
    while True:
        shorter = re.sub(r"<([a-z]+)></\1>", "", tags)
        if shorter == tags:
            return tags == ""
        tags = shorter


@task(
    """Write a function to read a duration such as "1h30m" or "45s" as seconds. It consists of hours, minutes and seconds in this order,
    each at most once, each a natural number followed by h, m or s, and at least one of them. Anything else gives None.""",
    """
    def duration_seconds(text):
        units = {"h": 3600, "m": 60, "s": 1}
        order = "hms"
        total, digits, next_unit = 0, "", 0
        for character in text:
            if character in "0123456789":
                digits += character
            elif digits and character in order[next_unit:]:
                total += int(digits) * units[character]
                next_unit = order.index(character) + 1
                digits = ""
            else:
                return None
        if digits or not text:
            return None
        return total
    """,
    [("1h30m",), ("45s",), ("10",)],
    [("",), ("0s",), ("h",), ("1m1h",), ("1h1h",), ("1h 2m",), ("90m",), ("1h2m3s",), ("2h5s",), ("-1s",), ("1.5h",), ("1H",), ("100h",), ("1s2",)],
    lambda rng: ("".join(f"{rng.randint(0, 99)}{unit}" for unit in rng.choice(["hms", "hm", "ms", "hs", "s", "mh", "ss"])),),
    10,
)
def duration_seconds(text):
    match = re.fullmatch(r"(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?", text)
    if not match or not text:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 60 + minutes) * 60 + seconds


@task(
    """Write a function to write an amount of cents as a text with two decimals and a comma before every third digit, such as
    "-1,234.05" for -123405.""",
    """
    def format_cents(cents):
        whole, rest = divmod(abs(cents), 100)
        return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02d}"
    """,
    [(-123405,), (5,), (100000000,)],
    [(0,), (99,), (100,), (-1,), (-99,), (-100,), (99999,), (100000,), (999999999,), (10**15,), (-(10**18) - 7,)],
    lambda rng: (rng.randint(-(10**9), 10**9),),
    10,
)
def format_cents(cents):
    digits = str(abs(cents)).rjust(3, "0")
    whole = digits[:-2]
    groups = []
    while whole:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return ("-" if cents < 0 else "") + ",".join(groups) + "." + digits[-2:]


@task(
    """Write a function to sort version texts such as "1.10.2" by their numbers, part by part. Missing parts count as 0, and
    versions that are equal in this sense keep their order.""",
    """
    def sort_versions(versions):
        def key(version):
            parts = [int(part) for part in version.split(".")]
            while parts and parts[-1] == 0:
                parts.pop()
            return parts

        return sorted(versions, key=key)
    """,
    [(["1.10", "1.9", "1.2.3"],), (["2.0", "2", "1"],), (["3"],)],
    [([],), (["1.0.0", "1", "1.0"],), (["0", "0.0.1"],), (["10", "9", "8"],), (["1.0.1", "1.0"],), (["01.2", "1.1"],), (["5.5", "5.5"],)],
    lambda rng: ([".".join(str(rng.randint(0, 3)) for _ in range(rng.randint(1, 4))) for _ in range(rng.randint(0, 7))],),
    12,
)
def sort_versions(versions):
    def compare(a, b):
        for left, right in itertools.zip_longest(map(int, a.split(".")), map(int, b.split(".")), fillvalue=0):
            if left != right:
                return left - right
        return 0

    return sorted(versions, key=functools.cmp_to_key(compare))


@task(
    """Write a function to check whether a text as a whole fits a pattern in which a question mark stands for exactly one character
    and a star for any number of characters, also none. All other characters stand for themselves.""",
    """
    def fits_pattern(pattern, text):
        reachable = {0}
        for symbol in pattern:
            if symbol == "*":
                reachable = set(range(min(reachable), len(text) + 1)) if reachable else set()
            else:
                reachable = {i + 1 for i in reachable if i < len(text) and symbol in ("?", text[i])}
        return len(text) in reachable
    """,
    [("a*c", "abbc"), ("a?c", "ac"), ("*", "")],
    [("", ""), ("", "a"), ("?", ""), ("?", "a"), ("**", "ab"), ("a*b*c", "aXbYc"), ("*a", "ba"), ("*a", "ab"), ("a.c", "abc"), ("[a]", "a"), ("a*", "a\nb"), ("?*?", "a")],
    lambda rng: (letters(rng, rng.randint(0, 5), "ab?*"), letters(rng, rng.randint(0, 6), "ab")),
    16,
)
def fits_pattern(pattern, text):
    translated = "".join({"*": ".*", "?": "."}.get(symbol, re.escape(symbol)) for symbol in pattern)
    return re.fullmatch(translated, text, re.DOTALL) is not None


@task(
    """Write a function to shift the letters of each word of a text forward in the alphabet, the first word by the first number of a list,
    the second by the second, and so on, beginning again when the list is used up. After z comes a, capitals stay capitals, other
    characters stay as they are, and words are separated by single spaces.""",
    """
    def shift_words(text, shifts):
        def shift(character, distance):
            for first in "aA":
                if first <= character <= chr(ord(first) + 25):
                    return chr((ord(character) - ord(first) + distance) % 26 + ord(first))
            return character

        words = text.split(" ")
        return " ".join(
            "".join(shift(character, shifts[index % len(shifts)]) for character in word)
            for index, word in enumerate(words)
        )
    """,
    [("abc xyz", [1, 2]), ("Hi there you", [1]), ("a b c", [0, 25])],
    [("", [3]), (" ", [1, 2]), ("z", [1]), ("Z", [1]), ("a", [-1]), ("a", [26]), ("a-b!", [2]), ("x  y", [1, 2, 3]), ("abc", [52]), ("\u00e4b", [1])],
    lambda rng: (letters(rng, rng.randint(0, 15), "abyzAZ  -"), ints(rng, rng.randint(1, 3), -30, 30)),
    10,
)
def shift_words(text, shifts):
    lower = "abcdefghijklmnopqrstuvwxyz"
    out, cycle = [], itertools.cycle(shifts)
    for word in text.split(" "):
        k = next(cycle) % 26
        rotated = lower[k:] + lower[:k]
        out.append(word.translate(str.maketrans(lower + lower.upper(), rotated + rotated.upper())))
    return " ".join(out)


# ---- dictionaries and records -------------------------------------------------------------------------------------------


@task(
    """Write a function to list the dotted paths to all values of a nested dictionary that are not dictionaries themselves, in
    alphabetical order. An empty dictionary inside has no path. All keys are strings.""",
    """
    def leaf_paths(config):
        paths = []
        for key, value in config.items():
            if isinstance(value, dict):
                paths.extend(key + "." + path for path in leaf_paths(value))
            else:
                paths.append(key)
        return sorted(paths)
    """,
    [({"a": 1, "b": {"c": 2}},), ({},), ({"x": {"y": {"z": 0}}},)],
    [({"a": {}},), ({"a": {"b": {}}},), ({"b": 1, "a": 2},), ({"a": [{"b": 1}]},), ({"a": None},), ({"a": {"c": 1, "b": 2}, "A": 3},), ({"": {"": 1}},), ({"a.b": 1, "a": {"b": 2}},)]
    + [({"k": {str(i): i for i in range(n)}, "j": n},) for n in range(1, 9)],
)
def leaf_paths(config):
    stack, paths = [((), config)], []
    while stack:
        prefix, node = stack.pop()
        for key, value in node.items():
            where = prefix + (key,)
            stack.append((where, value)) if type(value) is dict else paths.append(".".join(where))
    paths.sort()
    return paths


@task(
    """Write a function to compare two dictionaries and return a tuple of three sets of keys: those that only the second has, those that
    only the first has, and those that both have with different values.""",
    """
    def changed_keys(old, new):
        added = set(new) - set(old)
        removed = set(old) - set(new)
        changed = {key for key in old if key in new and old[key] != new[key]}
        return (added, removed, changed)
    """,
    [({"a": 1, "b": 2}, {"b": 3, "c": 4}), ({}, {}), ({"x": 1}, {"x": 1})],
    [({}, {"a": 1}), ({"a": 1}, {}), ({"a": 1}, {"a": 1.0}), ({"a": None}, {}), ({"a": [1]}, {"a": [1]}), ({"a": [1]}, {"a": (1,)}), ({1: "x", 2: "y"}, {2: "x", 1: "y"}), ({"a": True}, {"a": 1})],
    lambda rng: ({letter: rng.randint(0, 2) for letter in letters(rng, 4)}, {letter: rng.randint(0, 2) for letter in letters(rng, 4)}),
    12,
)
def changed_keys(old, new):
    added, removed, changed = set(), set(), set()
    missing = object()
    for key in list(old) + list(new):
        before, after = old.get(key, missing), new.get(key, missing)
        if before is missing:
            added.add(key)
        elif after is missing:
            removed.add(key)
        elif not before == after:
            changed.add(key)
    return added, removed, changed


@task(
    """Write a function to score ranked ballots: on a ballot of n names the first gets n - 1 points, the second n - 2, the last 0.
    Return the dictionary from every name that occurs to its points from all ballots.""",
    """
    def ballot_points(ballots):
        points = {}
        for ballot in ballots:
            for place, name in enumerate(ballot):
                points[name] = points.get(name, 0) + len(ballot) - 1 - place
        return points
    """,
    [([["ann", "bob"], ["bob", "ann"]],), ([["x"]],), ([["a", "b", "c"], ["b", "c"]],)],
    [([],), ([[]],), ([["a"], ["a"]],), ([["a", "b"], ["a", "b"]],), ([["c", "b", "a"]],), ([[], ["z"]],)],
    lambda rng: ([rng.sample("abcdef", rng.randint(0, 6)) for _ in range(rng.randint(0, 5))],),
    14,
)
def ballot_points(ballots):
    totals = collections.Counter()
    for ballot in ballots:
        totals.update({name: points for points, name in enumerate(reversed(ballot))})
        for name in ballot:
            totals[name] += 0
    return dict(totals)


@task(
    """Write a function to keep stock by first in, first out. Each entry is ("buy", quantity, price) or ("sell", quantity). Return a tuple of
    the quantity left and what it cost, or None when more is sold than there is.""",
    """
    def stock_value(entries):
        lots = []
        for entry in entries:
            if entry[0] == "buy":
                lots.append([entry[1], entry[2]])
                continue
            wanted = entry[1]
            while wanted > 0:
                if not lots:
                    return None
                taken = min(wanted, lots[0][0])
                lots[0][0] -= taken
                wanted -= taken
                if lots[0][0] == 0:
                    lots.pop(0)
        return (sum(quantity for quantity, _ in lots), sum(quantity * price for quantity, price in lots))
    """,
    [([("buy", 10, 2), ("sell", 4)],), ([("sell", 1)],), ([("buy", 1, 5), ("buy", 1, 7), ("sell", 1)],)],
    [([],), ([("sell", 0)],), ([("buy", 3, 1), ("sell", 3)],), ([("buy", 3, 1), ("sell", 4)],), ([("buy", 0, 9)],), ([("buy", 2, 3), ("sell", 1), ("sell", 1), ("sell", 1)],), ([("buy", 5, 10), ("buy", 5, 20), ("sell", 7)],)],
    lambda rng: ([rng.choice([("buy", rng.randint(0, 9), rng.randint(1, 9)), ("sell", rng.randint(0, 5))]) for _ in range(rng.randint(1, 8))],),
    14,
)
def stock_value(entries):
    pieces = []
    for entry in entries:
        if entry[0] == "buy":
            pieces += [entry[2]] * entry[1]
        elif entry[1] > len(pieces):
            return None
        else:
            pieces = pieces[entry[1] :]
    return len(pieces), sum(pieces)


@task(
    """Write a function to compute the mean grade from a list of (grade, weight) tuples. When the weights sum to 0, the result is None.""",
    """
    def weighted_mean(grades):
        total = sum(weight for _, weight in grades)
        if total == 0:
            return None
        return sum(grade * weight for grade, weight in grades) / total
    """,
    [([(1.0, 1), (2.0, 3)],), ([],), ([(5, 2)],)],
    [([(1, 0)],), ([(1, 1), (3, 1)],), ([(2.5, 0.5), (3.5, 1.5)],), ([(0, 5), (10, 5)],), ([(-1, 1), (1, 1)],), ([(1, 1), (2, -1)],), ([(1e6, 1), (1e-6, 1)],)],
    lambda rng: ([(rng.randint(1, 60) / 10, rng.randint(1, 9)) for _ in range(rng.randint(1, 6))],),
    12,
    atol=1e-9,
)
def weighted_mean(grades):
    weights = sum(Fraction(weight) for _, weight in grades)
    return float(sum(Fraction(grade) * Fraction(weight) for grade, weight in grades) / weights) if weights else None


# ---- dates --------------------------------------------------------------------------------------------------------------


@task(
    """Write a function to count the days from one date to another of the Gregorian calendar. Dates are (year, month, day) tuples; the
    result is negative when the second date is the earlier one.""",
    """
    def days_between(first, second):
        def day_number(date):
            year, month, day = date
            if month <= 2:
                year -= 1
                month += 12
            return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day

        return day_number(second) - day_number(first)
    """,
    [((2024, 1, 1), (2024, 3, 1)), ((2023, 1, 1), (2023, 3, 1)), ((2000, 1, 1), (1999, 12, 31))],
    [((2024, 2, 28), (2024, 2, 29)), ((1900, 2, 28), (1900, 3, 1)), ((2000, 2, 28), (2000, 3, 1)), ((1, 1, 1), (9999, 12, 31)), ((2020, 5, 5), (2020, 5, 5)), ((1600, 1, 1), (2000, 1, 1))],
    lambda rng: tuple((rng.randint(1, 3000), rng.randint(1, 12), rng.randint(1, 28)) for _ in range(2)),
    12,
)
def days_between(first, second):
    return (datetime.date(*second) - datetime.date(*first)).days


@task(
    """Write a function to find the date of the n-th given weekday in a month, as a (year, month, day) tuple. Monday is 0 and Sunday 6.
    When the month has no n-th such day, the result is None.""",
    """
    import calendar

    def nth_weekday(year, month, weekday, n):
        first, length = calendar.monthrange(year, month)
        day = 1 + (weekday - first) % 7 + 7 * (n - 1)
        if day > length:
            return None
        return (year, month, day)
    """,
    [(2024, 11, 3, 4), (2024, 2, 3, 5), (2023, 2, 0, 5)],
    [(2024, 1, 0, 1), (2024, 9, 6, 1), (2024, 12, 6, 5), (1900, 2, 2, 4), (2000, 2, 1, 5), (2026, 2, 6, 4), (2026, 3, 6, 5), (2026, 11, 4, 3)],
    lambda rng: (rng.randint(1583, 2500), rng.randint(1, 12), rng.randint(0, 6), rng.randint(1, 5)),
    12,
)
def nth_weekday(year, month, weekday, n):
    day = datetime.date(year, month, 1)
    found = []
    while day.month == month:
        if day.weekday() == weekday:
            found.append((day.year, day.month, day.day))
        day += datetime.timedelta(days=1)
    return found[n - 1] if n <= len(found) else None


# ---- numbers ------------------------------------------------------------------------------------------------------------


@task(
    """Write a function to write an integer in base -2, with the digits 0 and 1 and no sign, as a text.""",
    """
    def to_negabinary(number):
        if number == 0:
            return "0"
        digits = ""
        while number != 0:
            number, digit = divmod(number, -2)
            if digit < 0:
                number, digit = number + 1, digit + 2
            digits = str(digit) + digits
        return digits
    """,
    [(6,), (-3,), (0,)],
    [(1,), (-1,), (2,), (-2,), (3,), (4,), (5,), (-10,), (100,), (2**20,), (-(2**20),), (10**18,)],
    lambda rng: (rng.randint(-5000, 5000),),
    12,
)
def to_negabinary(number):
    mask = int("10" * 40, 2)
    return bin((number + mask) ^ mask)[2:]


@task(
    """Write a function to split a fraction between 0 and 1 into different unit fractions by always taking the largest that fits, and return
    the list of their denominators.""",
    """
    def unit_fractions(numerator, denominator):
        denominators = []
        while numerator > 0:
            next_denominator = -(-denominator // numerator)
            denominators.append(next_denominator)
            numerator, denominator = numerator * next_denominator - denominator, denominator * next_denominator
        return denominators
    """,
    [(3, 4), (1, 7), (4, 5)],
    [(1, 2), (2, 4), (2, 3), (5, 6), (7, 15), (4, 13), (6, 7), (9, 10), (8, 11), (5, 121), (1, 10**17), (0, 5), (17, 19)],
    lambda rng: (lambda d: (rng.randint(1, d - 1), d))(rng.randint(2, 30)),
    8,
)
def unit_fractions(numerator, denominator):
    left, out = Fraction(numerator, denominator), []
    while left:
        inverse = 1 / left
        unit = inverse.numerator // inverse.denominator + (inverse.denominator != 1)
        out.append(unit)
        left -= Fraction(1, unit)
    return out


@task(
    """Write a function to compute the continued fraction of a positive fraction as the list of its integer terms; the last term is larger
    than 1 unless it is the only one.""",
    """
    def continued_fraction(numerator, denominator):
        terms = []
        while denominator:
            quotient, rest = divmod(numerator, denominator)
            terms.append(quotient)
            numerator, denominator = denominator, rest
        return terms
    """,
    [(415, 93), (1, 3), (4, 2)],
    [(1, 1), (7, 1), (2, 4), (355, 113), (1, 1000), (89, 55), (10**18, 10**9 + 7), (3, 3), (22, 7)],
    lambda rng: (rng.randint(1, 500), rng.randint(1, 500)),
    12,
)
def continued_fraction(numerator, denominator):
    value = Fraction(numerator, denominator)
    floor = value.numerator // value.denominator
    rest = value - floor
    return [floor] + (continued_fraction(rest.denominator, rest.numerator) if rest else [])


@task(
    """Write a function to multiply two polynomials given as lists of integer coefficients from the lowest power up. The result has no zeros at
    its end; the zero polynomial is the empty list.""",
    """
    def multiply_polynomials(first, second):
        product = [0] * max(0, len(first) + len(second) - 1)
        for i, a in enumerate(first):
            for j, b in enumerate(second):
                product[i + j] += a * b
        while product and product[-1] == 0:
            product.pop()
        return product
    """,
    [([1, 1], [1, -1]), ([2], [3]), ([], [1, 2])],
    [([], []), ([0], [5, 5]), ([0, 0, 1], [0, 1]), ([1, 2, 3], [0]), ([1, 0], [1, 0]), ([-1], [1, 1]), ([10**10, 1], [10**10, 1])],
    lambda rng: (ints(rng, rng.randint(0, 5), -4, 4), ints(rng, rng.randint(0, 5), -4, 4)),
    12,
)
def multiply_polynomials(first, second):
    terms = collections.defaultdict(int)
    for (i, a), (j, b) in itertools.product(enumerate(first), enumerate(second)):
        terms[i + j] += a * b
    degree = max((power for power, value in terms.items() if value), default=-1)
    return [terms[power] for power in range(degree + 1)]


@task(
    """Write a function to compute the check character of a text of digits: multiply the digits from right to left by 2, 3, 4 and so on, take
    the sum modulo 11, and return the result as a text, "X" for 10.""",
    """
    def check_character(digits):
        total = sum(weight * int(digit) for weight, digit in enumerate(reversed(digits), start=2))
        return "X" if total % 11 == 10 else str(total % 11)
    """,
    [("123",), ("5",), ("0000",)],
    [("",), ("0",), ("1",), ("9",), ("99999",), ("1234567890",), ("00001",), ("10000",), ("8" * 30,)],
    lambda rng: (letters(rng, rng.randint(1, 12), "0123456789"),),
    14,
)
def check_character(digits):
    total, weight = 0, len(digits) + 1
    for digit in digits:
        total += weight * "0123456789".index(digit)
        weight -= 1
    return "0123456789X"[total % 11]


@task(
    """Write a function to follow moves such as "N3" or "W12" from the origin of the complex plane and return the point that is
    reached as a complex number. North and south change the imaginary part, east and west the real part.""",
    """
    def end_of_path(moves):
        directions = {"N": 1j, "S": -1j, "E": 1, "W": -1}
        position = complex(0, 0)
        for move in moves:
            position += directions[move[0]] * int(move[1:])
        return position
    """,
    [(["N3", "E4"],), ([],), (["W1", "E1"],)],
    [(["S2"],), (["N0"],), (["N10", "N10"],), (["E1", "N1", "W1", "S1"],), (["W12"],), (["E1000000"],), (["N1", "E1", "N1", "E1"],)],
    lambda rng: ([f"{rng.choice('NESW')}{rng.randint(0, 20)}" for _ in range(rng.randint(0, 8))],),
    12,
)
def end_of_path(moves):
    steps = collections.Counter()
    for move in moves:
        steps[move[:1]] += int(move[1:])
    return complex(steps["E"] - steps["W"], steps["N"] - steps["S"])


@task(
    """Write a function to return bytes in which every byte is the exclusive or of all bytes of the input up to its place.""",
    """
    def running_parity(data):
        parity = 0
        result = bytearray()
        for byte in data:
            parity ^= byte
            result.append(parity)
        return bytes(result)
    """,
    [(b"\x01\x02\x03",), (b"",), (b"aa",)],
    [(b"\x00",), (b"\xff\xff\xff",), (b"abc",), (bytes(range(16)),), (b"\x80\x80",), (b"hello world",)],
    lambda rng: (bytes(rng.randint(0, 255) for _ in range(rng.randint(0, 12))),),
    12,
)
def running_parity(data):
    return bytes(itertools.accumulate(data, lambda a, b: (a | b) & ~(a & b)))


# ---- grids and sets -----------------------------------------------------------------------------------------------------


@task(
    """Write a function to sum the rings of a matrix of integers, from the outermost ring to the innermost one, as a list. The matrix is a list
    of rows of equal length.""",
    """
    def ring_sums(matrix):
        rows = len(matrix)
        columns = len(matrix[0]) if matrix else 0
        sums = [0] * ((min(rows, columns) + 1) // 2)
        for i in range(rows):
            for j in range(columns):
                sums[min(i, j, rows - 1 - i, columns - 1 - j)] += matrix[i][j]
        return sums
    """,
    [([[1, 2, 3], [4, 5, 6], [7, 8, 9]],), ([[7]],), ([[1, 2], [3, 4]],)],
    [([],), ([[]],), ([[1, 2, 3]],), ([[1], [2], [3]],), ([[1, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]],), ([[-1, 1], [1, -1]],), ([[1] * 5 for _ in range(5)],)],
    lambda rng: ((lambda width: [ints(rng, width, -5, 9) for _ in range(rng.randint(1, 6))])(rng.randint(1, 6)),),
    12,
)
def ring_sums(matrix):
    out = []
    while matrix and matrix[0]:
        inner = [row[1:-1] for row in matrix[1:-1]]
        out.append(sum(map(sum, matrix)) - sum(map(sum, inner)))
        matrix = inner
    return out


@task(
    """Write a function to find the sizes of the regions of "#" in a grid given as a list of texts of equal length, in descending order.
    Cells belong to one region when they share an edge.""",
    """
    def region_sizes(grid):
        cells = {(i, j) for i, row in enumerate(grid) for j, mark in enumerate(row) if mark == "#"}
        sizes = []
        while cells:
            todo = [cells.pop()]
            size = 0
            while todo:
                i, j = todo.pop()
                size += 1
                for neighbour in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                    if neighbour in cells:
                        cells.remove(neighbour)
                        todo.append(neighbour)
            sizes.append(size)
        return sorted(sizes, reverse=True)
    """,
    [(["##.", "..#", "#.#"],), (["..."],), (["#"],)],
    [([],), ([""],), (["####"],), (["#.#.#"],), (["#.", ".#"],), (["###", "#.#", "###"],), (["#", "#", ".", "#"],)],
    lambda rng: ((lambda width: [letters(rng, width, "#.") for _ in range(rng.randint(1, 6))])(rng.randint(1, 7)),),
    14,
)
def region_sizes(grid):
    parent = {(i, j): (i, j) for i, row in enumerate(grid) for j, mark in enumerate(row) if mark == "#"}

    def root(cell):
        return cell if parent[cell] == cell else root(parent[cell])

    for i, j in list(parent):
        for other in ((i + 1, j), (i, j + 1)):
            if other in parent:
                parent[root((i, j))] = root(other)
    return sorted(collections.Counter(map(root, parent)).values(), reverse=True)


@task(
    """Write a function to compute the next generation of living cells, given as a set of (x, y) tuples on an endless grid: a cell lives when
    exactly three of its eight neighbours are alive, or when it is alive and exactly two of them are.""",
    """
    def next_generation(alive):
        counts = {}
        for x, y in alive:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        cell = (x + dx, y + dy)
                        counts[cell] = counts.get(cell, 0) + 1
        return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)}
    """,
    [({(0, 0), (1, 0), (2, 0)},), ({(5, 5)},), ({(0, 0), (0, 1), (1, 0), (1, 1)},)],
    [(set(),), ({(0, 0), (1, 1)},), ({(0, 0), (0, 1), (1, 0)},), ({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)},), ({(-1, -1), (-1, 0), (-1, 1)},), ({(0, 0), (0, 1), (0, 2), (1, 1)},)],
    lambda rng: ({(rng.randint(0, 4), rng.randint(0, 4)) for _ in range(rng.randint(1, 14))},),
    12,
)
def next_generation(alive):
    xs, ys = [x for x, _ in alive] or [0], [y for _, y in alive] or [0]
    result = set()
    for x, y in itertools.product(range(min(xs) - 1, max(xs) + 2), range(min(ys) - 1, max(ys) + 2)):
        around = sum((a, b) in alive for a in range(x - 1, x + 2) for b in range(y - 1, y + 2))
        if around == 3 or (around == 4 and (x, y) in alive):
            result.add((x, y))
    return result


@task(
    """Write a function to move every value of each ring of a square matrix one place clockwise along its ring, and return the new matrix. The
    middle of a matrix of odd size stays.""",
    """
    def turn_rings(matrix):
        size = len(matrix)
        result = [row[:] for row in matrix]
        for ring in range(size // 2):
            last = size - 1 - ring
            path = [(ring, j) for j in range(ring, last)]
            path += [(i, last) for i in range(ring, last)]
            path += [(last, j) for j in range(last, ring, -1)]
            path += [(i, ring) for i in range(last, ring, -1)]
            for (i, j), (k, l) in zip(path, path[1:] + path[:1]):
                result[k][l] = matrix[i][j]
        return result
    """,
    [([[1, 2], [3, 4]],), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],), ([[5]],)],
    [([],), ([[0, 1], [0, 0]],), ([[1, 1], [1, 1]],), ([["a", "b"], ["c", "d"]],), ([list(range(n * 4, n * 4 + 4)) for n in range(4)],)],
    lambda rng: ((lambda size: [ints(rng, size, 0, 99) for _ in range(size)])(rng.randint(1, 6)),),
    12,
)
def turn_rings(matrix):
    n = len(matrix)

    def source(i, j):
        ring = min(i, j, n - 1 - i, n - 1 - j)
        low, high = ring, n - 1 - ring
        if low == high:
            return i, j
        if i == low and j > low:
            return i, j - 1
        if j == high and i > low:
            return i - 1, j
        if i == high and j < high:
            return i, j + 1
        return i + 1, j

    return [[matrix[a][b] for a, b in (source(i, j) for j in range(n))] for i in range(n)]


# ---- graphs, intervals, simulations -------------------------------------------------------------------------------------


@task(
    """Write a function to join (start, end) tuples that overlap or lie at most the given gap apart, and return the joined ones in ascending
    order. Each start is at most its end.""",
    """
    def join_intervals(intervals, gap):
        joined = []
        for start, end in sorted(intervals):
            if joined and start - joined[-1][1] <= gap:
                joined[-1] = (joined[-1][0], max(joined[-1][1], end))
            else:
                joined.append((start, end))
        return joined
    """,
    [([(1, 3), (2, 5), (9, 9)], 0), ([(1, 2), (4, 5)], 2), ([(5, 6), (1, 2)], 1)],
    [([], 0), ([(0, 0)], 5), ([(1, 2), (2, 3)], 0), ([(1, 2), (3, 4)], 0), ([(1, 2), (3, 4)], 1), ([(1, 10), (2, 3)], 0), ([(1, 10), (2, 3), (11, 12)], 0), ([(-5, -1), (0, 1)], 1), ([(1, 1), (1, 1)], 0)],
    lambda rng: ([(lambda a: (a, a + rng.randint(0, 5)))(rng.randint(0, 40)) for _ in range(rng.randint(0, 9))], rng.randint(0, 3)),
    14,
)
def join_intervals(intervals, gap):
    rest = list(intervals)
    merged = True
    while merged:
        merged = False
        for a, b in itertools.combinations(range(len(rest)), 2):
            (s, e), (t, f) = rest[a], rest[b]
            if max(s, t) - min(e, f) <= gap:
                rest[a] = (min(s, t), max(e, f))
                del rest[b]
                merged = True
                break
    return sorted(rest)


@task(
    """Write a function to find the longest stretch of time without an event between a start and an end, both included in the watch. Events are numbers
    in any order; those outside of the watch do not count.""",
    """
    def longest_silence(events, start, end):
        times = [start] + sorted(event for event in events if start <= event <= end) + [end]
        return max(later - earlier for earlier, later in zip(times, times[1:]))
    """,
    [([3, 8], 0, 10), ([], 2, 7), ([5, 5], 5, 5)],
    [([0, 10], 0, 10), ([-5, 15], 0, 10), ([9, 1], 0, 10), ([5], 0, 10), ([0], 0, 10), ([10], 0, 10), ([1.5, 2.5], 0, 4), ([3], 3, 3), ([7, 3, 5], 1, 9)],
    lambda rng: (ints(rng, rng.randint(0, 8), 0, 40), rng.randint(0, 10), rng.randint(20, 45)),
    14,
)
def longest_silence(events, start, end):
    best, current = 0, start
    inside = set(event for event in events if not (event < start or event > end))
    while inside:
        following = min(inside)
        best = max(best, following - current)
        current = following
        inside.discard(following)
    return max(best, end - current)


@task(
    """Write a function to arrange tasks in layers: the first layer holds the tasks that need no other, each later one those whose needs are all in
    earlier layers. The argument maps each task to the list of tasks that it needs; every task is a key. Each layer is sorted. When tasks need each
    other in a circle, the result is None.""",
    """
    def task_layers(needs):
        layers = []
        done = set()
        while len(done) < len(needs):
            layer = sorted(task for task in needs if task not in done and all(need in done for need in needs[task]))
            if not layer:
                return None
            layers.append(layer)
            done.update(layer)
        return layers
    """,
    [({"a": [], "b": ["a"], "c": ["a", "b"]},), ({"a": ["b"], "b": ["a"]},), ({"x": [], "y": []},)],
    [({},), ({"a": ["a"]},), ({"a": []},), ({"c": ["b"], "b": ["a"], "a": []},), ({"a": [], "b": [], "c": ["a"], "d": ["b", "c"]},), ({"a": [], "b": ["c"], "c": ["b"]},), ({"a": ["b", "b"], "b": []},)],
    lambda rng: ((lambda names: {name: [other for other in names if other < name and rng.random() < 0.4] for name in rng.sample(names, len(names))})("abcdef"[: rng.randint(1, 6)]),),
    12,
)
def task_layers(needs):
    @functools.cache
    def level(name, seen=frozenset()):
        if name in seen:
            raise RecursionError
        return max((level(need, seen | {name}) + 1 for need in needs[name]), default=0)

    try:
        levels = {name: level(name) for name in needs}
    except RecursionError:
        return None
    return [sorted(n for n in needs if levels[n] == depth) for depth in range(max(levels.values(), default=-1) + 1)]


@task(
    """Write a function to find the smallest number of connections to pass from one station to another, where connections are given as a list of
    (station, station) tuples and can be used both ways. The result is -1 when there is no way, and 0 from a station to itself.""",
    """
    from collections import deque

    def fewest_connections(connections, start, goal):
        neighbours = {}
        for a, b in connections:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
        distance = {start: 0}
        queue = deque([start])
        while queue:
            station = queue.popleft()
            if station == goal:
                return distance[station]
            for other in neighbours.get(station, []):
                if other not in distance:
                    distance[other] = distance[station] + 1
                    queue.append(other)
        return -1
    """,
    [([("a", "b"), ("b", "c")], "a", "c"), ([], "x", "x"), ([("a", "b")], "a", "z")],
    [([], "a", "b"), ([("a", "a")], "a", "a"), ([("a", "b"), ("c", "d")], "a", "d"), ([("b", "a")], "a", "b"), ([(1, 2), (2, 3), (3, 4), (1, 4)], 1, 3), ([(1, 2), (2, 3), (1, 3)], 1, 3)],
    lambda rng: ([(rng.choice("abcdefg"), rng.choice("abcdefg")) for _ in range(rng.randint(0, 9))], rng.choice("abc"), rng.choice("defg")),
    14,
)
def fewest_connections(connections, start, goal):
    reached, count = {start}, 0
    while goal not in reached:
        wider = reached | {b for a, b in connections if a in reached} | {a for a, b in connections if b in reached}
        if wider == reached:
            return -1
        reached, count = wider, count + 1
    return count


@task(
    """Write a function to count the different fields that a robot stands on when it starts on one, faces north, and follows a text of commands: F goes
    one field forward, L and R turn left and right by 90 degrees, and other characters are ignored.""",
    """
    def fields_visited(commands):
        x, y = 0, 0
        dx, dy = 0, 1
        visited = {(x, y)}
        for command in commands:
            if command == "F":
                x, y = x + dx, y + dy
                visited.add((x, y))
            elif command == "L":
                dx, dy = -dy, dx
            elif command == "R":
                dx, dy = dy, -dx
        return len(visited)
    """,
    [("FFRF",), ("",), ("FRFRFRFRF",)],
    [("LLLL",), ("FLLF",), ("ffr",), ("F F",), ("FRRFFRRF",), ("FFFF",), ("RFRFRFRF",), ("FLFLFLFLFLFL",)],
    lambda rng: (letters(rng, rng.randint(0, 30), "FFFLRx"),),
    14,
)
def fields_visited(commands):
    position, heading, seen = 0j, 1j, {0j}
    for command in commands:
        heading *= {"L": 1j, "R": -1j}.get(command, 1)
        position += heading if command == "F" else 0
        seen.add(position)
    return len(seen)


@task(
    """Write a function to find when each customer is done at a number of equal counters. Customers arrive in the order of the list, each as an (arrival,
    duration) tuple with arrivals that never decrease; each goes to the counter that is free first and waits until it is. Return the list of end times.""",
    """
    import heapq

    def end_times(customers, counters):
        free = [0] * counters
        ends = []
        for arrival, duration in customers:
            end = max(arrival, heapq.heappop(free)) + duration
            heapq.heappush(free, end)
            ends.append(end)
        return ends
    """,
    [([(0, 5), (1, 2), (2, 1)], 1), ([(0, 5), (1, 2), (2, 1)], 2), ([], 3)],
    [([(3, 0)], 1), ([(0, 1), (0, 1), (0, 1)], 2), ([(0, 10), (1, 1), (2, 1), (3, 1)], 2), ([(5, 1), (100, 1)], 1), ([(0, 3), (0, 2), (0, 1), (0, 1)], 3), ([(1, 1)], 9)],
    lambda rng: (list(zip(sorted(ints(rng, 6, 0, 15)), ints(rng, 6, 0, 6))), rng.randint(1, 3)),
    14,
)
def end_times(customers, counters):
    ends = []
    for arrival, duration in customers:
        start = arrival
        while sum(end > start for end in ends) >= counters:
            start = min(end for end in ends if end > start)
        ends.append(start + duration)
    return ends


@task(
    """Write a function to compute the value of a list of postfix tokens: integers as texts, and the operators +, - and *. When the tokens are not one
    complete expression, the result is None.""",
    """
    def postfix_value(tokens):
        stack = []
        for token in tokens:
            if token in ("+", "-", "*"):
                if len(stack) < 2:
                    return None
                right, left = stack.pop(), stack.pop()
                stack.append(left + right if token == "+" else left - right if token == "-" else left * right)
            else:
                stack.append(int(token))
        return stack[0] if len(stack) == 1 else None
    """,
    [(["3", "4", "+"],), (["5", "1", "2", "+", "*"],), (["+"],)],
    [([],), (["7"],), (["-7"],), (["1", "2"],), (["1", "2", "-"],), (["1", "+", "2"],), (["2", "3", "*", "4", "*"],), (["1", "2", "3", "+"],), (["-1", "-2", "*"],), (["99999999999", "99999999999", "*"],)],
    lambda rng: ([rng.choice(["1", "2", "-3", "10", "+", "-", "*"]) for _ in range(rng.randint(1, 7))],),
    16,
)
def postfix_value(tokens):
    items = list(tokens)
    while len(items) > 1:
        at = next((i for i, item in enumerate(items) if isinstance(item, str) and item in "+-*"), None)
        if at is None or at < 2:
            return None
        a, b = int(items[at - 2]), int(items[at - 1])
        items[at - 2 : at + 1] = [{"+": a.__add__, "-": a.__sub__, "*": a.__mul__}[items[at]](b)]
    return int(items[0]) if items and items[0] not in ("+", "-", "*") else None


@task(
    """Write a function to score a complete game of ten-pin bowling from the list of pins of all rolls: ten frames of up to two rolls, a strike (ten pins with
    the first roll) counts the next two rolls once more, a spare (ten with both) the next one, and the last frame has its bonus rolls in the list.""",
    """
    def bowling_score(rolls):
        score, index = 0, 0
        for _ in range(10):
            if rolls[index] == 10:
                score += sum(rolls[index:index + 3])
                index += 1
            elif rolls[index] + rolls[index + 1] == 10:
                score += 10 + rolls[index + 2]
                index += 2
            else:
                score += rolls[index] + rolls[index + 1]
                index += 2
        return score
    """,
    [([10] * 12,), ([0] * 20,), ([5] * 21,)],
    [([1] * 20,), ([9, 0] * 10,), ([0] * 18 + [10, 1, 2],), ([0] * 18 + [4, 6, 3],), ([10, 3, 4] + [0] * 16,), ([3, 7, 4] + [0] * 17,), ([10, 10, 5, 2] + [0] * 14,), ([0, 10, 5] + [0] * 17,)],
    lambda rng: (random_game(rng),),
    14,
)
def bowling_score(rolls):
    def frames(rest, number):
        if number == 10:
            return sum(rest)
        if rest[0] == 10:
            return 10 + rest[1] + rest[2] + frames(rest[1:], number + 1)
        pair = rest[0] + rest[1]
        return pair + (rest[2] if pair == 10 else 0) + frames(rest[2:], number + 1)

    return frames(rolls, 1)


# ---- writing ------------------------------------------------------------------------------------------------------------


def outputs(function, cases):
    return [function(*copy.deepcopy(args)) for args in cases]


def same(a, b):
    """Equal with equal types all the way down; only the order of dicts and sets is free."""
    if isinstance(a, dict) and isinstance(b, dict):
        return same(sorted(a.items()), sorted(b.items()))
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    return encode(a) == encode(b)


def close(a, b, atol):
    return a == b or (isinstance(a, float) and isinstance(b, float) and abs(a - b) <= atol)


def suite(name, which, first, second, cases, atol):
    got, expected = outputs(first, cases), outputs(second, cases)
    for args, a, b in zip(cases, got, expected):
        if not (same(a, b) if atol is None else close(a, b, atol)):
            raise AssertionError(f"{name} ({which}): {args!r}: A gives {a!r}, B {b!r}")
    tolerance = {} if atol is None else {"atol": atol}
    return {"inputs": [[encode(arg) for arg in args] for args in cases], "expected": [encode(value) for value in expected], **tolerance}


def record(number, name, text, reference, second, base, plus, atol):
    namespace = {}
    exec(reference, namespace)
    first = namespace[name]
    call = f"{name}({', '.join(map(repr, base[0]))})"
    prompt = f'"""\n{text}\nassert {call} == {outputs(second, base[:1])[0]!r}\n"""\n'
    distinct = list({json.dumps([encode(arg) for arg in args]): args for args in plus}.values())
    if not (3 <= len(base) <= 5 and 15 <= len(distinct) <= 40):
        raise AssertionError(f"{name}: {len(base)} base and {len(distinct)} plus cases")
    suites = {"base": suite(name, "base", first, second, base, atol), "plus": suite(name, "plus", first, second, distinct, atol)}
    return {"task_id": f"Starter/{number}", "prompt": prompt, "entry_point": name, "reference": reference, "suites": suites}


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter.jsonl")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for number, entry in enumerate(TASKS, start=1):
            file.write(json.dumps(record(number, *entry), ensure_ascii=True, separators=(",", ":")) + "\n")
    print(f"{len(TASKS)} tasks")


if __name__ == "__main__":
    main()
