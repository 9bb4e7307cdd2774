/** Says while a run goes on that references give nothing to judge answers with: its calls cost money meanwhile. */
import { noReferenceText } from '../../analysis/report/notes/excluded.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { ReferenceRecord } from '../../activities/storage/ledger/records.ts';
import { plain } from '../output/terminal.ts';
import type { ReferenceKeys } from './reference-keys.ts';

/**
 * Returns a function to be called often, with the number of references that have run. It says which tasks are concerned
 * when the first is found, and again when they are twice as many; the end of the run names them all.
 */
export function failingReferences(
  ledger: Pick<Ledger, 'references'>,
  keys: Promise<ReferenceKeys>,
  say: (line: string) => void,
): (references: number) => Promise<void> {
  const unread = keys.then(openKeys, () => new Map<string, string>());
  const failing = new Set<string>();
  let [seen, said] = [0, 0];
  return async (references) => {
    if (references === seen) return;
    seen = references;
    const open = await unread;
    for (const [key, record] of await ledger.references(open.keys())) {
      if (hasNoOutput(record)) failing.add(open.get(key) ?? '');
      open.delete(key);
    }
    if (failing.size === 0 || failing.size < 2 * said) return;
    said = failing.size;
    say(plain(`${noReferenceText([...failing].sort())}. The run goes on; Ctrl-C stops it`));
  };
}

/** Tasks by the key of their reference, where answers are compared with what it gives. */
const openKeys = (keys: ReferenceKeys): Map<string, string> =>
  new Map(
    [...keys.values()].flatMap((tasks) =>
      [...tasks].flatMap(([taskId, suites]) =>
        suites.filter(({ givesExpected }) => givesExpected).map(({ key }) => [key, taskId] as const),
      ),
    ),
  );

const hasNoOutput = ({ outputs }: ReferenceRecord): boolean => outputs.every((output) => output === null);
