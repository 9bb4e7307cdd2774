/**
 * The order of test files: those that take minutes first, so that none of them begins when the others are done and one
 * core has nothing to do.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first; a list, since a fresh clone knows no durations and a short file may hold long tests. */
const long = ['control', 'kills', 'docs', 'package', 'kills-of-the-owner'].map((name) => `/e2e/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((first, second) => place(first) - place(second));
  }
}

const place = ({ moduleId }: TestSpecification): number => {
  const found = long.findIndex((end) => moduleId.endsWith(end));
  return found === -1 ? long.length : found;
};
