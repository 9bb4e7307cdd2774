import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { createEmbeddedSandbox } from '../../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { Program, ProgramLanguage, ProgramRun } from '../../../schemas/program.ts';
import { bodyOf, functionEnds, type SolvedLanguage } from '../../support/mxeval-solutions.ts';
import { engineNote, testEngine, withoutEngine, withoutWalls } from './engine.ts';

const limits = { caseTimeoutMs: 1500, memoryBytes: 300 * 1024 * 1024, outputBytes: 1_000_000 };

const program = (language: ProgramLanguage, source: string, test: string): Program => ({
  ...{ language, source, entryPoint: '', inputs: [JSON.stringify(test)] },
  tests: { prelude: '', alias: '' },
});

/** What became of it: the value of its test, the exception's first words, or how it ended. */
function fate({ end, results: [first] }: ProgramRun): string {
  if (end !== 'completed' || first === undefined) return end;
  return 'value' in first ? first.value : 'exception';
}

interface Cases {
  /** Defines `add`, rightly or wrongly, and a test that says `Error at 1th assert` when 1 + 2 is not 3. */
  readonly right: string;
  readonly wrong: string;
  readonly test: string;
  /** Bodies of `add`. */
  readonly bodies: Readonly<Record<string, readonly [source: string, wanted: string | readonly string[]]>>;
}

const languages: Readonly<Record<Exclude<ProgramLanguage, 'python'>, Cases>> = {
  javascript: {
    right: 'function add(a, b) { return a + b; }',
    wrong: 'function add(a, b) { return a - b; }',
    test: "const _ = require('lodash'); if (!_.isEqual(add(1, 2), 3)) { throw 'Error at 1th assert statement.' }",
    bodies: {
      'raises an exception': ['function add(a, b) { return a.b.c; }', 'exception'],
      'is not well-formed': ['function add(a, b) { return a + ; }', 'syntax_error'],
      'says something when its tests are over': [
        "setTimeout(() => console.log('bye'), 1); const add = (a, b) => a + b",
        'true',
      ],
      'exits with 0': ['process.exit(0); function add() {}', 'early_exit'],
      'needs a package that is not there': ["require('left-pad'); function add() {}", 'missing_dependency'],
      'loops for ever': ['function add(a, b) { for (;;); }', 'cpu_timeout'],
      'fills the memory': [
        'function add(a, b) { const k = []; for (;;) k.push(new Array(1e5).fill(k.length)); }',
        ['memory', 'cpu_timeout'],
      ],
      'prints without end': ["const fs = require('fs'); for (;;) fs.writeSync(1, 'x'.repeat(60000));", 'output_limit'],
      'is a fork bomb': [
        "const c = require('child_process'); " +
          "for (;;) { try { c.spawn('/bin/sleep', ['100']).on('error', () => 0) } catch {} }",
        ['cpu_timeout', 'exception', 'memory', 'killed'],
      ],
      'reads a file of the host': [
        "const add = () => require('fs').readFileSync('/etc/shadow', 'utf8').length && 3;",
        'exception',
      ],
    },
  },
  php: {
    right: 'function add($a, $b) { return $a + $b; }',
    wrong: '<?php\nfunction add($a, $b) { return $a - $b; }',
    test: 'if (add(1, 2) !== 3) { throw new Exception("Error at 1th assert statement."); }',
    bodies: {
      'raises an exception': ['function add($a, $b) { return intdiv($a, 0); }', 'exception'],
      'is not well-formed': ['function add($a, $b) { return $a + ; }', 'syntax_error'],
      'says something when its tests are over': [
        'register_shutdown_function(function () { echo "bye\\n"; }); function add($a, $b) { return $a + $b; }',
        'true',
      ],
      'exits with 0': ['function add($a, $b) { exit(0); }', 'early_exit'],
      // Red before: the tests were printed as text, and with them the secret: true.
      'is wrong and ends outside of the code': ['<?php\nfunction add($a, $b) { return 0; }\n?>\n<p>done</p>', 'false'],
      'is wrong and ends the code in a comment': [
        '# As in <?= add(1, 2) ?>\n<?php function add() { return 0; }',
        'false',
      ],
      'is right and ends outside of the code': [
        'function add($a, $b) { return $a + $b; }\n?>\n<p><?= add(1, 2) ?></p>\n',
        'true',
      ],
      'has the end of the code in a text': ['function add($a, $b) { return strlen("?>") + $b - 1 + $a - 1; }', 'true'],
      'prints its own file': [
        'register_shutdown_function(function () { readfile(__FILE__); }); function add() { exit(0); }',
        'early_exit',
      ],
      'loops for ever': ['function add($a, $b) { while (true); }', 'cpu_timeout'],
      'fills the memory': [
        'function add($a, $b) { $k = []; while (true) $k[] = str_repeat("x", 100000) . count($k); }',
        'memory',
      ],
      'prints without end': ['while (true) echo str_repeat("x", 10000);', 'output_limit'],
      'starts commands without end': [
        'while (true) { @proc_open("sleep 100", [], $p); }',
        ['cpu_timeout', 'wall_timeout', 'exception', 'memory'],
      ],
    },
  },
  ruby: {
    right: 'def add(a, b)\n  a + b\nend',
    wrong: 'def add(a, b)\n  a - b\nend',
    test: 'if add(1, 2) != 3\n  raise StandardError, "Error at test case 1"\nend',
    bodies: {
      'raises an exception': ['def add(a, b)\n  nil.foo\nend', 'exception'],
      'is not well-formed': ['def add(a, b)\n  a +\n', 'syntax_error'],
      'says something when its tests are over': ['at_exit { puts "bye" }\ndef add(a, b)\n  a + b\nend', 'true'],
      'exits with 0': ['exit(0)', 'early_exit'],
      'needs a library that is not there': ['require "nokogiri"', 'missing_dependency'],
      'loops for ever': ['def add(a, b)\n  loop {}\nend', 'cpu_timeout'],
      'fills the memory': ['def add(a, b)\n  k = []\n  loop { k << "x" * 1_000_000 }\nend', 'memory'],
      'prints without end': ['loop { puts "x" * 10_000 }', 'output_limit'],
      'is a fork bomb': ['loop { fork { sleep 100 } rescue nil }', ['cpu_timeout', 'wall_timeout']],
    },
  },
  perl: {
    right: 'use strict; sub add { my ($a, $b) = @_; return $a + $b; }',
    wrong: 'sub add { my ($a, $b) = @_; return $a - $b; }',
    test: 'use Data::Compare;\nunless (Compare([add(1, 2)], [3])) { die "Exception -- test case 0 did not pass."; }',
    bodies: {
      'raises an exception': ['sub add { return 1 / 0 * $_[0] / ($_[0] - 1); }', 'exception'],
      'is not well-formed': ['sub add { return (1; }', 'syntax_error'],
      'says something when its tests are over': ['END { print "bye\\n" } sub add { $_[0] + $_[1] }', 'true'],
      'exits with 0': ['sub add { exit 0; }', 'early_exit'],
      // Red before: early_exit, since the tests were part of the documentation.
      'ends in its documentation': ['sub add { $_[0] + $_[1] }\n\n=head1 NAME\n\nadd - adds\n', 'true'],
      'has documentation in between': ['=pod\n\nAdds.\n\n=cut\n\nsub add { $_[0] + $_[1] }\n', 'true'],
      // Red before: true.
      'prints what stands behind its end': ['sub add { 9 } print while <DATA>;\n__END__', 'early_exit'],
      'needs a module that is not there': ['use Not::There; sub add { 3 }', 'missing_dependency'],
      'loops for ever': ['sub add { while (1) {} }', 'cpu_timeout'],
      'fills the memory': ['sub add { my @k; while (1) { push @k, ("x" x 1_000_000) . @k; } }', 'memory'],
      'prints without end': ['while (1) { print "x" x 10_000; }', 'output_limit'],
      'is a fork bomb': ['while (1) { fork; }', ['cpu_timeout', 'wall_timeout']],
    },
  },
  cpp: {
    right: '#include <bits/stdc++.h>\nint add(int a, int b) { return a + b; }',
    wrong: 'int add(int a, int b) { return a - b; }',
    test: 'if (add(1, 2) != 3) { fprintf(stderr, "Error at 1th assert"); return 1; }',
    bodies: {
      'is compiled with OpenMP': [
        '#include <omp.h>\nint add(int a, int b) { int s = 0;\n#pragma omp parallel for reduction(+:s)\n' +
          'for (int i = 0; i < 3; i++) s++;\nreturn s + omp_in_parallel(); }',
        'true',
      ],
      'raises an exception': [
        '#include <stdexcept>\nint add(int, int) { throw std::runtime_error("no"); }',
        'exception',
      ],
      'reads address zero': ['int add(int a, int) { return *(volatile int *)0; }', 'exception'],
      'is not well-formed': ['int add(int a, int b) { return a + ; }', 'compile_error'],
      'says something when its tests are over': [
        '#include <cstdio>\nstruct Bye { ~Bye() { puts("bye"); } } bye;\nint add(int a, int b) { return a + b; }',
        'true',
      ],
      'exits with 0': ['#include <cstdlib>\nint add(int a, int b) { std::exit(0); }', 'early_exit'],
      'loops for ever': ['int add(int a, int b) { for (volatile int i = 0;; i = i + 1); }', 'cpu_timeout'],
      'fills the memory': [
        '#include <vector>\nint add(int a, int b) { std::vector<std::vector<int>> k; ' +
          'for (;;) k.emplace_back(1000000, 7); }',
        'memory',
      ],
      'prints without end': [
        '#include <cstdio>\nint add(int a, int b) { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }',
        'output_limit',
      ],
      'is a fork bomb': [
        '#include <unistd.h>\nint add(int a, int b) { for (;;) fork(); }',
        ['cpu_timeout', 'wall_timeout'],
      ],
      'includes a file of the host': ['#include "/etc/shadow"\nint add(int a, int b) { return 3; }', 'compile_error'],
      'includes an endless file': [
        '#include "/dev/zero"\nint add(int a, int b) { return 3; }',
        ['compile_error', 'build_timeout'],
      ],
      'includes itself': ['#include "/tmp/program.cpp"\nint add(int a, int b) { return 3; }', 'compile_error'],
    },
  },
};

describe.skipIf(withoutEngine)(`programs of other languages in containers${engineNote}`, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openOn(testEngine(), { processes: 2 });
  }, 600_000);
  afterAll(() => sandbox?.close());

  for (const [name, { right, wrong, test, bodies }] of Object.entries(languages)) {
    const run = async (source: string) =>
      fate(await sandbox.run(program(name as ProgramLanguage, source, test), limits));

    it(`${name}: a right program gives true, a wrong one false`, async () => {
      expect(await Promise.all([run(right), run(wrong)])).toEqual(['true', 'false']);
    });

    it.each(Object.entries(bodies))(
      `${name}: one that %s, and the next one is judged rightly`,
      async (_name, [source, wanted]) => {
        expect([wanted].flat()).toContain(await run(source));
        expect(await run(right)).toBe('true');
      },
    );
  }

  it('are refused by the tiers that have no interpreter for them', async () => {
    const tiers = [createEmbeddedSandbox, ...(withoutWalls ? [] : [createBubblewrapSandbox])];
    for (const open of tiers) {
      const other = await open({ processes: 1 });
      await expect(other.run(program('perl', '1', '1'), limits)).rejects.toThrow('need the container sandbox');
      await other.close();
    }
  });
});

const files = process.env['EVENKEEL_BENCHMARK_FILES'] ?? join(import.meta.dirname, '../../../../shared/data');
const sample = join(files, 'mxeval-sample');
const withoutSample = existsSync(sample) ? '' : ` (skipped: ${sample} is not here)`;

describe.skipIf(withoutEngine || withoutSample !== '')(`MXEVAL's own solutions${engineNote}${withoutSample}`, () => {
  interface Row {
    readonly task_id: string;
    readonly prompt: string;
    readonly canonical_solution: string | null;
    readonly test: string;
  }
  /**
   * Solutions that are wrong, as written: variables that do not exist, and two that exit in the middle of their tests.
   */
  const failing: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    javascript: { 'MBJSP/2': 'exception', 'MBJSP/18': 'exception', 'MBJSP/63': 'exception', 'MBJSP/65': 'exception' },
    php: {
      'MBPHP/14': 'early_exit',
      'MBPHP/63': 'false',
      'MBPHP/65': 'false',
      'MBPHP/75': 'false',
      'MBPHP/86': 'early_exit',
    },
    ruby: {},
  };
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openOn(testEngine(), { processes: 2 });
  }, 600_000);
  afterAll(() => sandbox?.close());

  it.each(['javascript', 'php', 'ruby'] as const)('in %s pass, but for those that are wrong', async (language) => {
    const lines = readFileSync(join(sample, `${language}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Row).filter((row) => row.canonical_solution !== null);
    const roomy = { ...limits, caseTimeoutMs: 10_000 };
    const fates = await Promise.all(
      rows.map(
        async (row) =>
          [
            row.task_id,
            fate(await sandbox.run(program(language, row.prompt + row.canonical_solution, row.test), roomy)),
          ] as const,
      ),
    );
    expect(rows.length).toBeGreaterThan(30);
    expect(Object.fromEntries(fates.filter(([, one]) => one !== 'true'))).toEqual(failing[language]);
  });

  const byHand = (language: SolvedLanguage) => {
    const lines = readFileSync(join(sample, `${language}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    return lines.flatMap((line) => {
      const row = JSON.parse(line) as Row;
      const body = bodyOf(language, Number(row.task_id.split('/')[1]));
      return body === undefined ? [] : [{ row, body }];
    });
  };
  const wrong = {
    javascript: "return 'no such value';",
    php: "return 'no such value';",
    ruby: "'no such value'",
    perl: 'return "no such value";',
  };

  it.each(['javascript', 'php', 'ruby', 'perl'] as const)(
    'in %s, written by hand, pass, and fail when they give something else',
    async (language) => {
      const solved = byHand(language);
      const judge = async (row: Row, body: string) =>
        fate(
          await sandbox.run(program(language, `${row.prompt}\n${body}\n${functionEnds[language]}\n`, row.test), limits),
        );
      expect(solved).toHaveLength(12);
      expect(await Promise.all(solved.map(({ row, body }) => judge(row, body)))).toEqual(solved.map(() => 'true'));
      expect(await Promise.all(solved.map(({ row }) => judge(row, wrong[language])))).toEqual(
        solved.map(() => 'false'),
      );
    },
  );
});
