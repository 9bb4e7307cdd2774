/** EVALOOP, section 2.1: a task goes round, code to summary to code, until its code fails or M loops are passed. */
import type { EvaloopPage, PageRef, StepItem } from '../schemas/steps.ts';
import { io, llm, seal } from './activities.ts';
import { generateAndExecute } from './programs.ts';

export async function evaloop(page: PageRef): Promise<void> {
  const plan = await io().openEvaloopPage(page);
  if (plan.sealed) return;
  const broken = await loopUntilBroken(page, plan);
  if (plan.judged) await judge(page, plan, broken);
  await seal().sealPage(page);
}

/** Gives back the cells whose code failed after at least one sustained loop, each with the loops it sustained. */
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

/** Asks for the similarity at the boundary where each task broke, again where the answer holds no score. */
async function judge(page: PageRef, { judgeAsks }: EvaloopPage, broken: readonly StepItem[]): Promise<void> {
  let unscored = broken;
  for (let ask = 0; ask < judgeAsks && unscored.length > 0; ask += 1) {
    const { unusable } = await llm().generate({ ...page, step: 'judge', ask, items: unscored });
    unscored = unscored.filter(([cell]) => unusable.includes(cell));
  }
}

const inLoop = (cells: readonly number[], loop: number): StepItem[] => cells.map((cell) => [cell, loop]);
