/** EVALOOP, section 2.1: a task goes from code to summary to code, until its code fails or it has passed M loops. */
import type { PageRef, StepItem } from '../schemas/steps.ts';
import type { EvaloopPage, evaloopPageSteps } from '../studies/evaloop/page.ts';
import { llm, pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const evaloop = ofPage(async (page) => {
  const plan = await pageSteps<typeof evaloopPageSteps>().openEvaloopPage(page);
  if (plan.sealed) return;
  const broken = await loopUntilBroken(page, plan);
  if (plan.judged) await judgeAll(page, plan, broken);
  await seal().sealPage(page);
});

/**
 * Returns the cells whose code failed after at least one sustained loop, each with the number of loops it sustained.
 */
async function loopUntilBroken(page: PageRef, { cells, course, maxLoops }: EvaloopPage): Promise<StepItem[]> {
  const broken: StepItem[] = [];
  const [first, ...next] = course;
  let coded = await generateAndExecute({ ...page, step: first, next, ask: 0, items: inLoop(cells, 1) });
  for (let loop = 1; ; loop += 1) {
    const { passed, failed } = coded.executed;
    if (loop > 1) broken.push(...inLoop([...coded.unusable, ...failed], loop - 1));
    if (loop === maxLoops || passed.length === 0) return broken;
    coded = await generateAndExecute({ ...page, step: 'summarize', next: course, ask: 0, items: inLoop(passed, loop) });
  }
}

/** All judgements at once. Waits for every one before it fails, so that none is still asked for a failed page. */
async function judgeAll(page: PageRef, plan: EvaloopPage, broken: readonly StepItem[]): Promise<void> {
  const judgements = Array.from({ length: plan.judgements ?? 1 }, (_, sample) => judge(page, plan, broken, sample));
  const ends = await Promise.allSettled(judgements);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Asks one judge for the similarity at the loop where each task broke, and asks again if the answer holds no score.
 * @param sample the number of the judgement among those of a break
 */
async function judge(
  page: PageRef,
  { judgeAsks }: EvaloopPage,
  broken: readonly StepItem[],
  sample: number,
): Promise<void> {
  const place = sample === 0 ? {} : { firstSample: sample };
  let unscored = broken;
  for (let ask = 0; ask < judgeAsks && unscored.length > 0; ask += 1) {
    const { unusable } = await llm().generate({ ...page, step: 'judge', ask, ...place, items: unscored });
    unscored = unscored.filter(([cell]) => unusable.includes(cell));
  }
}

const inLoop = (cells: readonly number[], loop: number): StepItem[] => cells.map((cell) => [cell, loop]);
