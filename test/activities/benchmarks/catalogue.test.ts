import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  catalogueEntries,
  catalogueRequest,
  missingFiles,
  readCatalogue,
} from '../../../activities/benchmarks/catalogue.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const catalogue = readCatalogue(new URL('../../../data/benchmarks', import.meta.url).pathname);
const docs = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');
/** Lines end anywhere in prose. */
const words = docs.replaceAll(/\s+/g, ' ');

describe('the catalogue of public benchmarks', () => {
  it('holds the six sets', () => {
    expect(catalogue.map(({ name }) => name)).toEqual([
      'humaneval',
      'humaneval-et',
      'humaneval-plus',
      'mbpp-et',
      'mbpp-plus',
      'mbpp-sanitized',
    ]);
  });

  it('names every failing reference once, and docs/benchmarks.md gives each with the same reason', () => {
    for (const { name, failing } of catalogue) {
      for (const [suite, reasons] of Object.entries(failing)) {
        const numbers = Object.values(reasons).flat();
        expect(new Set(numbers).size, `${name} ${suite}`).toBe(numbers.length);
        for (const [reason, tasks] of Object.entries(reasons))
          expect(words).toContain(`tasks ${tasks.join(', ')}: ${reason}`);
      }
    }
  });

  it("gives each file's source and licence in docs/benchmarks.md", () => {
    for (const { name, source, licence, file } of catalogue)
      expect(words).toContain(`- \`${name}\`: file \`${file.name}\`; source ${source}; licence ${licence}`);
  });

  it('joins MBPP-ET to MBPP sanitized, whose file it needs too', () => {
    const [entry] = catalogueEntries(catalogue, ['mbpp-et']);
    if (entry === undefined) throw new Error('no entry');
    expect(catalogueRequest('/files', entry, catalogue)).toEqual({
      ...{ name: 'mbpp-et', format: 'mbpp-sanitized', path: '/files/mbpp-sanitized/sanitized-mbpp.json', seed: 0 },
      suites: [{ name: 'et', format: 'mbpp-et', path: '/files/mbpp-et/MBPP_ET.jsonl' }],
    });
    expect(missingFiles(temporaryFolder(), entry, catalogue)).toEqual(['mbpp-et', 'mbpp-sanitized']);
  });

  it('refuses an unknown name with the nearest', () => {
    expect(() => catalogueEntries(catalogue, ['mbpp-pluss'])).toThrow(
      /no benchmark "mbpp-pluss"; did you mean "mbpp-plus"/,
    );
  });
});
