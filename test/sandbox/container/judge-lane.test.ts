/** What Python's `==` says about values that are not encoded as they are; none of it from a run of ours. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAndJudge } from '../../../activities/judging/judge-lane.ts';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { createEmbeddedSandbox } from '../../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { Oracle, Suite, Value } from '../../../schemas/task.ts';
import { limits } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

const tiers = [
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
  { name: 'embedded', skip: false, note: '', open: () => createEmbeddedSandbox({ processes: 1 }) },
];

const equal: Oracle = { rule: 'equal' };
const check = (...checks: Extract<Oracle, { rule: 'asserts' }>['checks']): Oracle => ({ rule: 'asserts', checks });
const evalplus: Oracle = { rule: 'evalplus', atol: 0, special: null };

/** What the program returns, what is expected, by which oracle, and what Python says. */
const cases: readonly (readonly [code: string, expected: Value, oracle: Oracle, outcome: string])[] = [
  ['__import__("fractions").Fraction(3, 2)', { f: '1.5' }, equal, 'pass'],
  ['__import__("fractions").Fraction(1, 3)', { f: '0.3333333333333333' }, equal, 'wrong_output'],
  ['[__import__("decimal").Decimal("2.50"), "a"]', [{ f: '2.5' }, 'a'], equal, 'pass'],
  ['__import__("collections").deque([1, 2])', [1, 2], equal, 'wrong_output'],
  ['range(3)', [0, 1, 2], equal, 'wrong_output'],
  ['{1: 2}.keys()', { s: [1] }, equal, 'pass'],
  ['{1: 2}.keys()', [1], equal, 'wrong_output'],
  ['bytearray(b"\\x00a")', { b: '0061' }, equal, 'pass'],
  ['type("L", (list,), {})([1, (2,)])', [1, { t: [2] }], equal, 'pass'],
  ['__import__("collections").namedtuple("P", "x y")(1, 2)', { t: [1, 2] }, equal, 'pass'],
  [
    'type("C", (__import__("collections").Counter,), {})("aab")',
    {
      d: [
        ['a', 2],
        ['b', 1],
      ],
    },
    equal,
    'pass',
  ],
  ['"\\ud83d" + "\\ude00"', '\u{1f600}', equal, 'wrong_output'],
  ['{1: (lambda x: x.append(x) or x)([])}', 1, equal, 'wrong_output'],
  ['__import__("enum").IntEnum("E", "A B").B', 2, equal, 'pass'],
  ['type("Thing", (), {})()', 1, equal, 'wrong_output'],
  ['type("Liar", (), {"__eq__": lambda self, other: True})()', 1, equal, 'unencodable'],
  ['[type("Liar", (int,), {"__eq__": lambda self, other: True})(5), 2]', [1, 2], equal, 'unencodable'],
  ['[type("Liar", (), {"__eq__": lambda self, other: True})(), 3]', [1], equal, 'wrong_output'],
  ['(x for x in [3, 1, 3])', { s: [1, 3] }, check('set'), 'pass'],
  ['__import__("collections").deque([1, 2])', { t: [1, 2] }, check('tuple'), 'pass'],
  ['__import__("collections").deque()', false, check('truth'), 'pass'],
  ['type("Empty", (), {"__len__": lambda self: 0})()', true, check('truth'), 'wrong_output'],
  ['__import__("fractions").Fraction(1, 3)', { f: '0.33' }, check({ below: 0.01 }), 'pass'],
  ['__import__("fractions").Fraction(1, 3)', { f: '0.33' }, check({ below: 0.001 }), 'wrong_output'],
  ['__import__("decimal").Decimal("0.3334")', { f: '0.3333' }, check({ relTol: 1e-3, absTol: 0 }), 'pass'],
  ['__import__("fractions").Fraction(1, 2)', { f: '0.50000001' }, evalplus, 'wrong_output'],
];

/** Names for `ofStandardTypes`; classes whose instances are equal to everything, or say so. */
const standardTypes = `
import datetime, types, typing
from collections import OrderedDict
from datetime import date, time, timedelta, timezone
class Liar:
    def __eq__(self, other): return True
class Moment(datetime.datetime):
    def __eq__(self, other): return True
    def __reduce_ex__(self, protocol): return (datetime.datetime, (2024, 5, 6))
class Plain(datetime.datetime): pass
class Clock(time):
    def __eq__(self, other): return True
class Zone(datetime.tzinfo):
    def utcoffset(self, moment): return timedelta(0)
    def __eq__(self, other): return True
class Names(types.SimpleNamespace):
    def __eq__(self, other): return True
class Alias(types.GenericAlias):
    def __eq__(self, other): return True
    def __reduce__(self): return (types.GenericAlias, (list, (int,)))
class SaysAlias:
    __class__ = types.GenericAlias
    __origin__, __args__, __unpacked__ = list, (int,), False
    def __eq__(self, other): return True
class SaysUnion:
    __class__ = types.UnionType
    __args__ = (int, str)
    def __eq__(self, other): return True
class Meta(type):
    def __eq__(cls, other): return other is str
    def __hash__(cls): return hash(str)
class SaysStr(metaclass=Meta): pass
class Own: pass
Own.__qualname__ = Own.__name__ = "int"
Own.__module__ = "builtins"
def home(name="Home"):
    """A zone that goes back from two hours east to one at 05:00 of that day's UTC, so that 06:00 comes twice."""
    import io, struct, zoneinfo
    turn = int(moment(5, timezone.utc).timestamp())
    data = struct.pack(">lBlBBlBB", turn, 1, 7200, 0, 0, 3600, 0, 0) + b"HOM\\0"
    head = b"TZif" + bytes(16) + struct.pack(">6l", 0, 0, 0, 1, 2, 4)
    return zoneinfo.ZoneInfo.from_file(io.BytesIO(head + data), key=name)
def moment(hour, zone): return datetime.datetime(2024, 5, 6, hour, tzinfo=zone)
def east(hours, *name): return timezone(timedelta(hours=hours), *name)
`;

/** What the reference returns, what the program does, and what Python says. */
const ofStandardTypes: readonly (readonly [reference: string, code: string, outcome: string])[] = [
  ['time(1, 2, 3, 4)', 'time(1, 2, 3, 4)', 'pass'],
  ['time(1, 2, 3, 4)', 'time(1, 2, 3, 5)', 'wrong_output'],
  ['time(1, 2)', 'time(1, 2, tzinfo=timezone.utc)', 'wrong_output'],
  ['time(1, 2, tzinfo=timezone.utc)', 'time(2, 2, tzinfo=east(1))', 'pass'],
  ['time(1, 2)', 'datetime.datetime(1, 1, 1, 1, 2)', 'wrong_output'],
  ['time(1, 2)', 'Clock(1, 2)', 'unencodable'],
  ['time(1, 2)', 'Liar()', 'unencodable'],
  ['moment(7, timezone.utc)', 'moment(7, timezone.utc)', 'pass'],
  ['moment(7, timezone.utc)', 'moment(9, east(2))', 'pass'],
  ['moment(7, timezone.utc)', 'moment(7, east(2))', 'wrong_output'],
  ['moment(7, timezone.utc)', 'moment(7, None)', 'wrong_output'],
  ['moment(7, timezone.utc)', 'moment(7, Zone())', 'unencodable'],
  ['moment(7, timezone.utc)', 'moment(8, home())', 'pass'],
  ['moment(7, timezone.utc)', 'moment(9, home())', 'wrong_output'],
  ['moment(5, timezone.utc)', 'moment(6, home())', 'unencodable'],
  ['home()', 'home()', 'pass'],
  ['home()', 'home("Away")', 'wrong_output'],
  ['moment(0, None)', 'Moment(2024, 5, 6)', 'unencodable'],
  ['moment(0, None)', 'Plain(2024, 5, 6)', 'unencodable'],
  ['moment(0, None)', 'date(2024, 5, 6)', 'wrong_output'],
  ['{moment(7, timezone.utc): [time(1)]}', '{moment(8, east(1)): [time(1)]}', 'pass'],
  ['timezone.utc', 'timezone.utc', 'pass'],
  ['timezone.utc', 'east(0, "Zulu")', 'pass'],
  ['timezone.utc', 'east(1)', 'wrong_output'],
  ['timezone.utc', 'Zone()', 'unencodable'],
  ['slice(1, None)', 'slice(1, None, None)', 'pass'],
  ['slice(1, 2)', 'slice(True, 2.0)', 'pass'],
  ['slice(1, 2)', 'slice(1, 3)', 'wrong_output'],
  ['slice(1, 2)', 'slice(1, Liar())', 'unencodable'],
  ['slice(1, 2)', '(1, 2, None)', 'wrong_output'],
  ['types.SimpleNamespace(a=1)', 'types.SimpleNamespace(a=1.0)', 'pass'],
  ['types.SimpleNamespace(a=1)', 'types.SimpleNamespace(a=2)', 'wrong_output'],
  ['types.SimpleNamespace(a=1)', '{"a": 1}', 'wrong_output'],
  ['types.SimpleNamespace(a=1)', 'Names(a=1)', 'unencodable'],
  ['list[int]', 'list[int]', 'pass'],
  ['list[int]', 'list[str]', 'wrong_output'],
  ['list[int]', 'list', 'wrong_output'],
  ['list[int]', '[int]', 'wrong_output'],
  ['list[int]', 'Alias(list, (int,))', 'unencodable'],
  ['list[int]', 'SaysAlias()', 'unencodable'],
  ['list[str]', 'list[SaysStr]', 'unencodable'],
  ['list[int]', 'list[Liar()]', 'unencodable'],
  ['list[int]', 'list[Own]', 'wrong_output'],
  ['list[int]', 'next(iter(list[int]))', 'wrong_output'],
  ['next(iter(tuple[int]))', 'next(iter(tuple[int]))', 'pass'],
  ['{"f": tuple[list[str], ...]}', '{"f": tuple[list[str], ...]}', 'pass'],
  ['int | str', 'int | str', 'pass'],
  ['int | str', 'str | int', 'pass'],
  ['int | str', 'int | str | None', 'wrong_output'],
  ['int | str', '(int, str)', 'wrong_output'],
  ['int | str', 'SaysUnion()', 'unencodable'],
  ['int | str', 'int | SaysStr', 'unencodable'],
  ['int | str', 'Own | str', 'wrong_output'],
  ['list[date] | None', 'None | list[date]', 'pass'],
  ['list[Own]', 'list[Own]', 'wrong_output'],
  ['typing.List[int]', 'typing.List[int]', 'pass'],
  ['typing.List[int]', 'typing.List[str]', 'wrong_output'],
  ['typing.List[int]', 'list[int]', 'wrong_output'],
  ['list[int]', 'typing.List[int]', 'wrong_output'],
  ['typing.Dict[str, typing.List[int]]', 'typing.Dict[str, typing.List[int]]', 'pass'],
  ['typing.Tuple[int, ...]', 'typing.Tuple[int, ...]', 'pass'],
  ['typing.Optional[int]', 'typing.Union[None, int]', 'pass'],
  ['typing.Union[int, str]', 'int | str', 'pass'],
  ['typing.List[int]', 'typing.List[SaysStr]', 'unencodable'],
  ['int', 'int', 'pass'],
  ['[int, OrderedDict]', '[int, OrderedDict]', 'pass'],
  ['int', 'bool', 'wrong_output'],
  ['int', 'Own', 'wrong_output'],
  ['str', 'SaysStr', 'unencodable'],
  ['Own', 'Own', 'wrong_output'],
  ['...', '...', 'pass'],
  ['OrderedDict(a=1).keys()', 'OrderedDict(a=1).keys()', 'pass'],
  ['{"a"}', 'OrderedDict(a=1).keys()', 'pass'],
  ['{("a", 1)}', 'OrderedDict(a=2).items()', 'wrong_output'],
];

for (const { name, skip, note, open } of tiers)
  describe.skipIf(skip)(`the judge lane of the ${name} tier${note}`, () => {
    let box: Sandbox;
    beforeAll(async () => {
      box = await open();
    }, 300_000);
    afterAll(() => box?.close());

    const judged = async (source: string, suite: Suite, reference = 'def f(): return None') =>
      await runAndJudge(
        { box, task: { entryPoint: 'f', reference }, suite, source, limits },
        suite.expected?.map((value) => JSON.stringify(value)) ?? [],
      );

    it('says what Python says, and nothing where only the program could', async () => {
      const verdicts = await Promise.all(
        cases.map(async ([code, expected, oracle]) => {
          const suite = { name: 'base', inputs: [[]], expected: [expected], oracle };
          const { verdict, lane } = await judged(`def f(): return ${code}`, suite);
          return [code, lane, verdict.outcome];
        }),
      );
      expect(verdicts).toEqual(cases.map(([code, , , outcome]) => [code, 'judge', outcome]));
    });

    it('a value that the reference alone could have made is compared with a description of its own', async () => {
      const inputs = [[1], [3]];
      const suite: Suite = { name: 'base', inputs, expected: null, oracle: equal };
      const reference = 'def f(n): return range(n)';
      const judge = async (source: string) =>
        (
          await runAndJudge({ box, task: { entryPoint: 'f', reference }, suite, source, limits }, [
            '{"x":"range"}',
            '{"x":"range"}',
          ])
        ).verdict;
      expect(await judge('def f(k): return range(0, k, 1)')).toMatchObject({ outcome: 'pass' });
      expect(await judge('def f(k): return range(0, 3)')).toMatchObject({
        outcome: 'wrong_output',
        firstFailingCase: 0,
      });
      expect(await judge('def f(k): return list(range(k))')).toMatchObject({ outcome: 'wrong_output' });
    });

    it('an OrderedDict has an order for its like alone; a Counter with a zero equals one without', async () => {
      const outcomes = async (reference: string, sources: readonly string[], expected: string) => {
        const suite: Suite = { name: 'base', inputs: [[]], expected: null, oracle: equal };
        const whole = (code: string) => `from collections import *\ndef f(): return ${code}`;
        const task = { entryPoint: 'f', reference: whole(reference) };
        const runs = sources.map((code) => runAndJudge({ box, task, suite, source: whole(code), limits }, [expected]));
        return (await Promise.all(runs)).map(({ verdict }) => verdict.outcome);
      };
      const ordered = 'OrderedDict([("a", 1), ("b", 2)])';
      const moved = '[o := OrderedDict([("b", 2), ("a", 1)]), o.move_to_end("b")][0]';
      const others = ['OrderedDict([("b", 2), ("a", 1)])', '{"b": 2, "a": 1}', moved, '{"a": 1}'];
      expect(await outcomes(ordered, others, '{"x":"OrderedDict"}')).toEqual([
        'wrong_output',
        'pass',
        'pass',
        'wrong_output',
      ]);
      const counters = ['Counter(a=1, b=0)', '{"a": 1, "b": 0}', 'Counter(a=1, b=0.0)', 'Counter(b=1, a=0)'];
      expect(await outcomes('Counter("a")', counters, '{"d":[["a",1]]}')).toEqual([
        'pass',
        'wrong_output',
        'pass',
        'wrong_output',
      ]);
      expect(await outcomes('{"a": 1}', counters, '{"d":[["a",1]]}')).toEqual(counters.map(() => 'wrong_output'));
      expect(await outcomes('Counter(a=0)', ['Counter()', '{}', '{"a": 0}'], '{"x":"Counter"}')).toEqual([
        'pass',
        'wrong_output',
        'pass',
      ]);
    });

    it("moments, zones and slices are compared by Python's rules, and never by a class of the program's", async () => {
      const outcomes = ofStandardTypes.map(async ([reference, code]) => {
        const whole = (text: string): string => `${standardTypes}\ndef f(): return ${text}`;
        const task = { entryPoint: 'f', reference: whole(reference) };
        const suite: Suite = { name: 'base', inputs: [[]], expected: null, oracle: equal };
        const run = await box.run({ source: task.reference, entryPoint: 'f', inputs: ['[]'] }, limits);
        const [expected] = run.results.map((result) => ('value' in result ? result.value : null));
        const { verdict } = await runAndJudge({ box, task, suite, source: whole(code), limits }, [expected ?? null]);
        return [reference, code, verdict.outcome];
      });
      expect(await Promise.all(outcomes)).toEqual(ofStandardTypes);
    });

    it('test code of the suite goes its own way; hidden names and changing programs forge nothing', async () => {
      const script = { prelude: '', alias: 'candidate', cases: [null, 'assert candidate(1) == 1'] };
      const suite: Suite = { name: 'base', inputs: [[1], []], expected: [1, true], oracle: equal, script };
      const whole = await judged('import fractions\ndef f(n): return fractions.Fraction(n)', suite);
      expect([whole.verdict.outcome, whole.lane]).toEqual(['pass', 'judge']);
      const one: Suite = { name: 'base', inputs: [[]], expected: [7], oracle: equal };
      const hides = 'import fractions\ntuple = list = type = bool = exec = None\ndef f(): return fractions.Fraction(7)';
      expect((await judged(hides, one)).verdict.outcome).toBe('pass');
      const forges =
        'def f():\n    return range(2)\ndef make(*a): return lambda: (7, True, None)\nevenkeel_described = make()';
      expect((await judged(forges, one)).verdict.outcome).toBe('wrong_output');
    });
  });

describe.skipIf(withoutEngine)(`numpy's values${engineNote}`, () => {
  it('are compared by EvalPlus’s rule', async () => {
    const box = await openOn(testEngine(), { processes: 1 });
    try {
      const outcomeOf = async (code: string, expected: Value): Promise<string> => {
        const suite: Suite = { name: 'base', inputs: [[]], expected: [expected], oracle: evalplus };
        const toJudge = {
          box,
          task: { entryPoint: 'f', reference: '' },
          suite,
          source: `import numpy as np\ndef f(): return ${code}`,
          limits,
        };
        return (await runAndJudge(toJudge, [JSON.stringify(expected)])).verdict.outcome;
      };
      expect(await outcomeOf('np.int64(3)', 3)).toBe('pass');
      expect(await outcomeOf('np.float64(0.5) + 1e-9', { f: '0.5' })).toBe('wrong_output');
      expect(await outcomeOf('[np.float64(0.5) + 1e-9]', [{ f: '0.5' }])).toBe('pass');
      // EvalPlus asserts equal lengths; numpy alone would hold one, or none, against all.
      expect(await outcomeOf('[np.float64(0.5)]', [{ f: '0.5' }, { f: '0.5' }])).toBe('wrong_output');
      expect(await outcomeOf('[np.array([])]', [{ f: '0.5' }])).toBe('wrong_output');
      expect(await outcomeOf('np.array([1, 2])', [1, 2])).toBe('wrong_output');
    } finally {
      await box.close();
    }
  }, 60_000);
});
