/**
 * Runs that were judged in different sandboxes. Another tier lacks other things (threads, packages, time for slow
 * programs), and another Python has other modules and messages: equal programs can get other verdicts there.
 */
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { sandboxTiers } from '../../schemas/states.ts';

/** Of a run, as much as is compared. */
type Judged = Pick<Manifest, 'runId' | 'sandbox'>;

/** Whether a difference of verdicts may be one of the sandboxes: other tiers, or other minor versions of Python. */
export const areJudgedApart = (runs: readonly Judged[]): boolean =>
  new Set(runs.map(({ sandbox: { tier, engine } }) => `${tier} ${pythonOf(engine)}`)).size > 1;

/** Empty if all runs were judged in the same sandbox. */
export function sandboxNotes(all: readonly Judged[]): string[] {
  const runs = [...new Map(all.map((run) => [run.runId, run])).values()];
  const named = runs.map((run) => ({ run, parts: partsOf(run) }));
  const differ = (['tier', 'engine', 'image'] as const).filter(
    (part) => new Set(named.map(({ parts }) => parts[part])).size > 1,
  );
  if (differ.length === 0) return [];
  const texts = named.map(
    ({ run, parts }) => `${differ.map((part) => `${part} ${parts[part]}`).join(', ')} in run ${run.runId}`,
  );
  const found = `different sandboxes judged the programs of these runs (${texts.join('; ')})`;
  return areJudgedApart(runs)
    ? [`${found}: equal programs may get other verdicts there, so a difference may be that of the ${remedy(runs)}`]
    : [`${found}: few verdicts on equal programs differ, if any; \`rescore\` judges the replies of a run again`];
}

const shownDigits = 12;

const partsOf = ({ sandbox: { tier, engine, imageDigest } }: Judged) => ({
  ...{ tier, engine },
  image: imageDigest.replace(/^sha256:/, '').slice(0, shownDigits),
});

/** `3.11` of "bubblewrap 0.8.0 (Python 3.11.2)"; null if the engine's name has none. */
const pythonOf = (engine: string): string | null => /Python (\d+\.\d+)/.exec(engine)?.[1] ?? null;

/** The weaker tiers' replies are judged again in the strongest one, where programs lack least. */
function remedy(runs: readonly Judged[]): string {
  const strength = ({ sandbox: { tier } }: Judged): number => (sandboxTiers as readonly string[]).indexOf(tier);
  const strongest = Math.min(...runs.map(strength));
  const weaker = runs.filter((run) => strength(run) > strongest);
  if (weaker.length === 0)
    return 'sandboxes; `rescore` one of them where the other was judged, and compare with the new run';
  const commands = weaker.map(
    ({ runId }) => `\`EVENKEEL_SANDBOX=${sandboxTiers[strongest]} npx evenkeel rescore ${runId}\``,
  );
  return `sandboxes; judge the replies again in the same one (${nameList(commands)}), and compare with the new run`;
}
