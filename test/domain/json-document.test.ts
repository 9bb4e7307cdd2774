import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonDocument } from '../../domain/json-document.ts';

const placeOf = (text: string): string => {
  try {
    parseJsonDocument(text, 'f.json');
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['{\n "0": [\n  {"task_id": 1, "cycles": [}\n ]\n}\n', 'f.json:3:29  not valid JSON: got "}\\n ]\\n}\\n"'],
  ['{"a": 1,}', 'f.json:1:9  not valid JSON: got "}"'],
  ['{"a": 1 "b": 2}', 'f.json:1:9  not valid JSON: got "\\"b\\": 2}"'],
  ['{a: 1}', 'f.json:1:2  not valid JSON: got "a: 1}"'],
  ['[1, 2', 'f.json:1:6  not valid JSON: the text ends too early'],
  ['{"a": NaN}', 'f.json:1:7  not valid JSON: got "NaN}"'],
  ['[01]', 'f.json:1:2  not valid JSON: got "01]"'],
  ['{"a": "b', 'f.json:1:7  not valid JSON: got "\\"b"'],
  ['', 'f.json:1:1  not valid JSON: the text ends too early'],
  ['{} {}', 'f.json:1:4  not valid JSON: got "{}"'],
])('%j is refused at its first error', (text, message) => {
  expect(placeOf(text)).toBe(message);
});

test('a byte order mark is skipped', () => {
  expect(parseJsonDocument('\uFEFF{"a": [1]}', 'f.json')).toEqual({ a: [1] });
});

test('a document with one changed character is either parsed or refused with a position inside it', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '1', 'x', '\n', '\\'),
      (value, at, other) => {
        const text = JSON.stringify(value, null, 1);
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + other + text.slice(place + 1);
        const message = placeOf(changed);
        if (message === 'read') return JSON.stringify(JSON.parse(changed)) !== undefined;
        const [, line = 0, column = 0] = /^f\.json:(\d+):(\d+) /.exec(message) ?? [];
        const lines = changed.split('\n');
        return (
          Number(line) >= 1 &&
          Number(line) <= lines.length &&
          Number(column) <= (lines[Number(line) - 1] ?? '').length + 1
        );
      },
    ),
  );
});

test('the error of a truncated document is at its end, or at the string that never closes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.nat(), (value, at) => {
      const whole = JSON.stringify([value]);
      const text = whole.slice(0, at % whole.length);
      const message = placeOf(text);
      const column = Number(/:(\d+) {2}/.exec(message)?.[1]);
      const open = text.slice(column - 1);
      // The rest is the beginning of a scalar, or empty.
      return open === '' || open.startsWith('"') || /^(?:-|-?[\d.eE+-]+|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.test(open);
    }),
  );
});
