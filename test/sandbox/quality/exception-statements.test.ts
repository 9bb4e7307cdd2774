/** The script under the python3 of this machine, as it runs in the sandbox image. Expected counts are by hand. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../sandbox/container/exception_statements.py', import.meta.url));
const python = spawnSync('python3', ['-c', 'import ast'], { encoding: 'utf8' }).status === 0;
const newEnough = spawnSync('python3', ['-c', 'import ast; ast.TryStar'], { encoding: 'utf8' }).status === 0;
const pythonTest = test.skipIf(!python);
const note = python ? '' : ' (skipped: python3 is not here)';

interface Answer {
  readonly id: string;
  readonly handlers: number | null;
  readonly raises: number | null;
  readonly reason: string | null;
}

function answers(sources: Readonly<Record<string, string>>): Answer[] {
  const input = Object.entries(sources).map(([id, source]) => JSON.stringify({ id, source }));
  const { stdout, stderr, status } = spawnSync('python3', ['-s', '-B', script], {
    input: input.join('\n'),
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

const lines = (...text: string[]): string => `${text.join('\n')}\n`;

pythonTest(
  `handlers and raises are counted wherever they stand, and text that only looks like them is not${note}`,
  () => {
    const sources = {
      nothing: 'x = 1\n',
      empty: '',
      handlers: lines(
        'try:',
        '    f()',
        'except ValueError:',
        '    pass',
        'except (KeyError, OSError) as e:',
        '    raise',
        'finally:',
        '    g()',
      ),
      finally: lines('try:', '    f()', 'finally:', '    g()'),
      nested: lines(
        'class A:',
        '    def f(self):',
        '        try:',
        '            try: pass',
        '            except: raise KeyError from None',
        '        except Exception: raise',
      ),
      oneLine: 'def f(x):\n    if x: raise ValueError(x); raise TypeError\n',
      text: lines('"""raise', 'except ValueError:', '"""', '# raise', 'raised = "raise"', 'assert raised'),
    };
    expect(answers(sources)).toEqual([
      { id: 'nothing', handlers: 0, raises: 0, reason: null },
      { id: 'empty', handlers: 0, raises: 0, reason: null },
      { id: 'handlers', handlers: 2, raises: 1, reason: null },
      { id: 'finally', handlers: 0, raises: 0, reason: null },
      { id: 'nested', handlers: 2, raises: 2, reason: null },
      { id: 'oneLine', handlers: 0, raises: 2, reason: null },
      { id: 'text', handlers: 0, raises: 0, reason: null },
    ]);
  },
);

pythonTest(`what does not parse has null and a reason, and the next program is still counted${note}`, () => {
  const sources = {
    prose: 'One way to improve the code is to add comments.',
    nul: 'x = 1\u0000raise',
    surrogate: 'x = "\ud800"',
    indentation: 'def f():\nreturn 1\n',
    deep: `${'-'.repeat(100_000)}1\n`,
    warning: "import re\nre.compile('\\d')\n",
    after: 'raise SystemExit\n',
  };
  const missing = { handlers: null, raises: null };
  expect(answers(sources)).toEqual([
    { id: 'prose', ...missing, reason: 'syntax_error' },
    { id: 'nul', ...missing, reason: 'syntax_error' },
    { id: 'surrogate', ...missing, reason: 'syntax_error' },
    { id: 'indentation', ...missing, reason: 'syntax_error' },
    { id: 'deep', ...missing, reason: 'too_deep' },
    { id: 'warning', handlers: 0, raises: 0, reason: null },
    { id: 'after', handlers: 0, raises: 1, reason: null },
  ]);
});

test.skipIf(!newEnough)(`except* is a handler${newEnough ? '' : ' (skipped: needs Python 3.11)'}`, () => {
  const source = lines('try:', '    f()', 'except* ValueError:', '    pass', 'except* TypeError:', '    raise');
  expect(answers({ star: source })).toEqual([{ id: 'star', handlers: 2, raises: 1, reason: null }]);
});
