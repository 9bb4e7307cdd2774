/**
 * Cases by an author who had not read the parser, and decided by reading what each reply contains. The programs are
 * judged by running them in CPython (of the embedded sandbox).
 */
import { readFileSync } from 'node:fs';
import { loadPyodide } from 'pyodide';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExtractedCode, extractCode } from '../../../../domain/extraction/extract-code.ts';
import { type ExtractionCase, extractionCases } from './read-cases.ts';

const cases = extractionCases();
const extracted = new Map<ExtractionCase, ExtractedCode>(
  cases.map((c) => [c, extractCode(c.reply, { entryPoint: c.entryPoint, prompt: c.prompt })]),
);
const codeOf = (c: ExtractionCase): string | null => extracted.get(c)?.code ?? null;

let problems = new Map<ExtractionCase, string | null>();

beforeAll(async () => {
  const python = await loadPyodide();
  const passing = cases.filter((c) => c.expect === 'passes');
  const judge = python.runPython(`${readFileSync(new URL('judge.py', import.meta.url), 'utf8')}\nproblems`) as (
    text: string,
  ) => string;
  const found: unknown = JSON.parse(
    judge(JSON.stringify(passing.map((c) => [codeOf(c) ?? 'raise Exception("no code")', c.asserts]))),
  );
  problems = new Map(passing.map((c, index) => [c, (found as (string | null)[])[index] ?? null]));
}, 60_000);

describe('the cases', () => {
  it('are at least 110, at least half of them shapes of named models', () => {
    expect(cases.length).toBeGreaterThanOrEqual(110);
    expect(cases.filter((c) => c.seen !== undefined).length * 2).toBeGreaterThanOrEqual(cases.length);
  });

  it('have unique names and an expectation', () => {
    expect(new Set(cases.map((c) => `${c.seen} ${c.name}`)).size).toBe(cases.length);
    expect(cases.filter((c) => c.expect === 'passes' && c.asserts === '')).toEqual([]);
  });
});

const named = (chosen: (c: ExtractionCase) => boolean): (readonly [string, ExtractionCase])[] =>
  cases.filter(chosen).map((c) => [c.name, c] as const);

it.each(named((c) => c.expect === 'passes'))('a program that runs silently and passes: %s', (_name, c) => {
  expect({ problem: problems.get(c), code: codeOf(c) }).toEqual({ problem: null, code: codeOf(c) });
});

it.each(named((c) => c.code !== undefined))('exactly the code that was meant: %s', (_name, c) => {
  expect(codeOf(c)?.trim()).toBe(c.code?.trim());
});

it.each(named((c) => c.expect === 'no_code'))('no code: %s', (_name, c) => {
  expect(codeOf(c)).toBeNull();
});

it.each(named((c) => c.expect === 'code'))('code, right or wrong: %s', (_name, c) => {
  expect(codeOf(c)).toContain('def ');
});
