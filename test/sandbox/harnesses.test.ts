/** The container's harness and the embedded one encode values and classify exceptions by the same text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../sandbox', path), 'utf8');

/** A function of `make`, from its first line to the next one of its depth. */
function functionOf(source: string, name: string): string {
  const [, rest] = source.split(`\n    def ${name}(`);
  if (rest === undefined) throw new Error(`no function ${name}`);
  return rest.split(/\n {4}(?=\S)/)[0]?.trim() ?? '';
}

it.each(['walk', 'has_halves', 'texts', 'items', 'pairs', 'encode', 'name_of', 'describe', 'classify'])(
  '%s is the same in both',
  (name) => {
    const [container, embedded] = [read('container/harness.py'), read('embedded/harness.ts')].map((source) =>
      functionOf(source, name),
    );
    expect(embedded).toBe(container);
    expect(container?.split('\n').length).toBeGreaterThan(2);
  },
);
