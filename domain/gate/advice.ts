/** What to know of a check's rule: that it cannot fail, or how many tasks an inconclusive check would need. */
import { counted } from '../counted.ts';
import type { SuiteGap, TaskEvidence } from './estimate.ts';
import type { GateCheck, GateSubject } from './evaluate.ts';
import { gateMetric, needsRuns } from './metrics.ts';
import { withUnit } from './numbers.ts';

/** Null if there is nothing to say: the check is decided, or nothing is known about its tasks. */
export function adviceOf({
  outcome,
  subject,
  interval,
  tasks,
  margin,
  heldBack,
  unjudgedDecide,
  unjudgedFail,
  cannotFail,
  why,
  sameAnswers,
  judgedApart,
  suiteGap,
}: GateCheck): string | null {
  if (interval === null && suiteGap !== undefined) return suiteText(subject, suiteGap, sameAnswers === true);
  if (judgedApart === true && interval !== null && needsRuns(subject.metric)) return apartText;
  if (sameAnswers === true && interval !== null && outcome === 'inconclusive') return sameText;
  if (cannotFail === true && outcome === 'passed')
    return 'no version could lose more than is allowed here, so this check cannot fail';
  const then = `${whyUnjudged}; ${unjudgedFail === true ? failedText : failText}`;
  if (heldBack !== undefined) return `without these answers it would have ${heldBack}: ${then}`;
  if (unjudgedDecide === true) return `${decidedText}. ${then[0]?.toUpperCase()}${then.slice(1)}`;
  if (interval === null) return why ?? nothingText(subject);
  if (outcome !== 'inconclusive' || tasks === undefined || tasks.lost === null) return null;
  const low = cannotFail === true ? `${lowText}; ` : '';
  return `${low}${tasksText(tasks, subject, margin)}`;
}

/** How many tasks would decide, and what these decide. */
function tasksText({ n, needed, decidable }: TaskEvidence, subject: GateSubject, margin: number | null): string {
  const { unit } = gateMetric(subject.metric);
  const can = decidable === null ? 'no margin' : `a margin of ${withUnit(rounded(decidable), unit)}`;
  const within = `${counted(n, 'task')} can decide ${can}`;
  if (needed === null)
    return `no number of tasks can show that ${margin === 0 ? 'nothing at all' : 'so little'} is lost; ${within}`;
  if (needed <= n)
    return (
      `${counted(n, 'task')} are enough in 80 % of cases where nothing is lost; so something is lost, or this is one ` +
      'of the other cases'
    );
  return `about ${needed} tasks would decide it (in 80 % of cases where nothing is lost); ${within}`;
}

const lowText =
  'on these tasks the old version has no more to lose than is allowed, so this check cannot fail; on others it may ' +
  'have more, as far as the interval says, so it is not passed either';

const decidedText =
  'the answers that could not be judged decide this, and more such tasks would not: with them at their worst more ' +
  'than allowed is lost, with them at their best not';

const whyUnjudged =
  'table verdicts says why each was not judged, and `explain` shows its program. Where a package is missing, add it ' +
  'and `rescore`; a value that cannot be encoded stays without a verdict';

const failText = '`unjudged: fail` in the policy makes such a check fail';
const failedText = 'this check fails because the policy has `unjudged: fail`';

const sameText =
  'all answers of the new version are those of the old one, so this check cannot pass: compare a run that asks itself';

const apartText =
  'different sandboxes judged the two versions, so this check can neither pass nor fail: judge the replies of one ' +
  'again in the sandbox of the other (`rescore`), and compare with the new run';

/** A suite was added to the benchmark, or dropped, between two runs. */
function suiteText({ suite }: GateSubject, { without, having }: SuiteGap, isSame: boolean): string {
  const found = `suite ${suite} did not judge run ${without}, so nothing could be compared`;
  if (isSame)
    return (
      `${found}; all answers of run ${having} are those of run ${without}, judged by this suite too: ` +
      'let it be the baseline (`--against`) of a run that asks itself'
    );
  return (
    `${found}: \`rescore ${without} --suites SUITES,${suite}=FORMAT:FILE\`, where SUITES are its own ones, judges ` +
    'its answers again by this suite too; compare with the run that this makes'
  );
}

/** Why a metric that this kind of study has could not be compared. */
const nothingText = ({ metric }: GateSubject): string =>
  `no task has ${metric} in both versions, so nothing could be compared: see that both runs measured it on the same ` +
  'tasks, or leave this out of the policy';

/** Rounded up to two digits, so that the margin is not understated. */
function rounded(value: number): string {
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return String(Number((Math.ceil(value / step) * step).toPrecision(2)));
}
