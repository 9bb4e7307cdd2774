/**
 * A gate's verdict, from a policy and the possible comparisons. Pure; a callback estimates at the level a rule needs.
 */
import type { Interval } from '../statistics/intervals/interval.ts';
import { rounding } from '../statistics/rounding.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import type { GateEstimate, GateQuestion } from './estimate.ts';
import { gateMetric, type GateMetricName, largestLoss, needsRuns } from './metrics.ts';
import type { GatePolicy, GateRule } from './policy.ts';

/** One comparison that a rule may apply to. */
export interface GateSubject {
  readonly metric: GateMetricName;
  readonly benchmark: string;
  /** Null if the metric has none. */
  readonly suite: string | null;
  /** A dimension's name, function-only, full or light (PromptSE), a level of detail or its curve (PartialOrderEval). */
  readonly dimension: string;
  /**
   * How the code was made: function-only, nfr-integrated or nfr-enhanced; the dimension if a study has no workflows.
   */
  readonly workflow: string;
}

/** For people: the dimension, and the workflow if it differs. */
export const conditionName = ({ dimension, workflow }: Pick<GateSubject, 'dimension' | 'workflow'>): string =>
  dimension === workflow ? dimension : `${dimension}, ${workflow}`;

export type GateOutcome = 'passed' | 'failed' | 'inconclusive';

export interface GateCheck extends GateEstimate {
  readonly subject: GateSubject;
  readonly outcome: GateOutcome;
  /** Highest allowed loss, in the metric's unit; null if it is a percentage of an unknown old value. */
  readonly margin: number | null;
  /** Confidence of each single end of the interval. */
  readonly level: number;
  /** It passes without the answers that could not be judged, and not with them at their worst; or fails. */
  readonly heldBack?: 'passed' | 'failed';
  /**
   * With the answers that could not be judged at their worst more than the margin is lost, and with them
   * at their best not: so these answers decide, and more tasks of which as many cannot be judged do not.
   */
  readonly unjudgedDecide?: true;
  /** It failed because such answers hold it back or decide it, as the policy asks (`unjudged: fail`). */
  readonly unjudgedFail?: true;
  /** No version could lose more than the margin on the compared tasks, since the old one has no more to lose there. */
  readonly cannotFail?: true;
}

export interface RuleResult {
  readonly rule: GateRule;
  readonly outcome: GateOutcome;
  /** Empty if nothing could be compared: such a rule is inconclusive, not passed. */
  readonly checks: readonly GateCheck[];
}

export interface GateResult {
  readonly outcome: GateOutcome;
  readonly rules: readonly RuleResult[];
  /** All possible comparisons, whether a rule applies to them or not. */
  readonly subjects: readonly GateSubject[];
}

/** Exit status: 0 passed, 4 failed, 5 inconclusive. */
export const gateExitStatus = { passed: 0, failed: 4, inconclusive: 5 } as const satisfies Record<GateOutcome, number>;

/**
 * A check passes if the whole interval of the loss lies within the margin, and fails if all of it lies beyond. One
 * failed check fails the gate; else one inconclusive check makes the gate inconclusive. A check neither passes nor
 * fails if answers that could not be judged could change that, and does not pass if no new answer is
 * compared. Nor does it pass or fail if it rests on programs that different sandboxes ran. Each single end of an
 * interval has the rule's confidence, since a wrong pass and a wrong failure cannot both happen. In a rule that applies
 * k times the confidence is 1 - (1 - confidence) / k (Bonferroni).
 * @param estimate compares a subject, with each end of the interval at a level
 * @param times how often each rule applies in the whole gate, of which these subjects may be a part
 */
export function evaluateGate(
  policy: GatePolicy,
  subjects: readonly GateSubject[],
  estimate: (subject: GateSubject, level: number, question: GateQuestion) => GateEstimate,
  times: readonly number[] = applications(policy, subjects),
): GateResult {
  const rules = policy.rules.map((rule, index): RuleResult => {
    const matched = subjects.filter((subject) => appliesTo(rule, subject));
    const level = 1 - (1 - (rule.confidence ?? policy.confidence)) / Math.max(1, times[index] ?? matched.length);
    const checks = matched.map((subject) =>
      withUnjudged(policy, checkOf(rule, subject, level, estimate(subject, level, questionOf(rule, level)))),
    );
    return { rule, outcome: worstOf(checks), checks };
  });
  return { outcome: worstOf(rules), rules, subjects };
}

/** How often each rule of the policy applies. @param subjects of all comparisons of a gate */
export const applications = ({ rules }: GatePolicy, subjects: readonly GateSubject[]): number[] =>
  rules.map((rule) => subjects.filter((subject) => appliesTo(rule, subject)).length);

export const appliesTo = (rule: GateRule, subject: GateSubject): boolean =>
  rule.metric === subject.metric &&
  (rule.suite === undefined || rule.suite === subject.suite) &&
  (rule.benchmark === undefined || rule.benchmark === subject.benchmark) &&
  (rule.dimension === undefined || rule.dimension === subject.dimension) &&
  (rule.workflow === undefined || rule.workflow === subject.workflow);

function questionOf(rule: GateRule, level: number): GateQuestion {
  const { margin = 0, marginPercent } = rule;
  return { level, direction: directionOf(rule), ...(marginPercent === undefined ? { margin } : { marginPercent }) };
}

const directionOf = ({ metric, direction }: GateRule): Direction => direction ?? gateMetric(metric).direction;

function checkOf(rule: GateRule, subject: GateSubject, level: number, estimate: GateEstimate): GateCheck {
  const margin = marginOf(rule, estimate.old);
  const outcome = outcomeOf(rule, estimate.interval, margin);
  const heldBack = outcome !== 'inconclusive' && !holdsUnjudged(rule, estimate, outcome);
  const unjudgedDecide = outcome === 'inconclusive' && doUnjudgedDecide(rule, estimate);
  const isSame = estimate.sameAnswers === true;
  const isApart = estimate.judgedApart === true && needsRuns(subject.metric);
  return {
    ...estimate,
    ...((unjudgedDecide || isSame || isApart) && estimate.tasks && { tasks: { ...estimate.tasks, needed: null } }),
    subject,
    outcome: heldBack || isApart || (isSame && outcome === 'passed') ? 'inconclusive' : outcome,
    margin,
    level,
    ...(heldBack && { heldBack: outcome }),
    ...(unjudgedDecide && { unjudgedDecide: true as const }),
    ...(cannotFail(rule, estimate) && { cannotFail: true as const }),
  };
}

/** A policy may take for an alarm what answers that could not be judged leave open. */
function withUnjudged({ unjudged }: GatePolicy, check: GateCheck): GateCheck {
  const { subject, heldBack, unjudgedDecide, sameAnswers, judgedApart } = check;
  const isOpen = heldBack !== undefined || unjudgedDecide === true;
  const isDoubtful = sameAnswers === true || (judgedApart === true && needsRuns(subject.metric));
  return unjudged === 'fail' && isOpen && !isDoubtful ? { ...check, outcome: 'failed', unjudgedFail: true } : check;
}

/** Whatever the answers that could not be judged are. */
const cannotFail = (rule: GateRule, { old, unjudged }: GateEstimate): boolean =>
  [old, ...(unjudged === undefined ? [] : [unjudged.worstCase.old])].every((value) => {
    const margin = marginOf(rule, value);
    return value !== null && margin !== null && rounded(margin) >= largestLoss(rule.metric, directionOf(rule), value);
  });

/** A margin in percent is a product, which rounding alone may make less than the most that can be lost. */
const rounded = (margin: number): number => margin + rounding * Math.max(1, margin);

/**
 * A pass must also hold in the worst case of the answers that could not be judged, a failure in the best.
 */
function holdsUnjudged(rule: GateRule, { unjudged }: GateEstimate, outcome: 'passed' | 'failed'): boolean {
  if (unjudged === undefined) return true;
  const { old, interval } = outcome === 'passed' ? unjudged.worstCase : unjudged.bestCase;
  return outcomeOf(rule, interval, marginOf(rule, old)) === outcome;
}

/** Whether the allowed loss lies between what may be lost at best and at worst. */
function doUnjudgedDecide(rule: GateRule, { unjudged }: GateEstimate): boolean {
  if (unjudged === undefined) return false;
  const [isTooMuch, isAtBest] = [unjudged.worstCase, unjudged.bestCase].map(({ old, now }) => {
    const margin = marginOf(rule, old);
    if (old === null || now === null || margin === null) return null;
    return (directionOf(rule) === 'higher' ? old - now : now - old) > margin;
  });
  return isTooMuch === true && isAtBest === false;
}

function marginOf({ margin = 0, marginPercent }: GateRule, old: number | null): number | null {
  if (marginPercent === undefined) return margin;
  return old === null ? null : (Math.abs(old) * marginPercent) / 100;
}

function outcomeOf(rule: GateRule, interval: Interval | null, margin: number | null): GateOutcome {
  if (interval === null || margin === null) return 'inconclusive';
  const [least, most] = directionOf(rule) === 'higher' ? [-interval.hi, -interval.lo] : [interval.lo, interval.hi];
  if (most <= rounded(margin)) return 'passed';
  return least > rounded(margin) ? 'failed' : 'inconclusive';
}

/**
 * Leaves in each comparison the rules that apply to it. In one in which nothing could be compared these are the rules
 * that may apply to its study. Rules that are in none of them are `idle`: they are inconclusive by themselves.
 * @param mayApply whether the study of a comparison can have what a rule asks about
 * @param isWaiting whether a comparison has no results of a side yet, so that nothing could be compared
 */
export function withoutIdleRules(
  results: readonly GateResult[],
  mayApply: (rule: GateRule, comparison: number) => boolean,
  isWaiting: (comparison: number) => boolean = () => false,
): { readonly own: readonly GateResult[]; readonly idle: GateResult | null } {
  const isEmpty = (comparison: number): boolean => results[comparison]?.subjects.length === 0 || isWaiting(comparison);
  const isOwn = ({ rule, checks }: RuleResult, comparison: number): boolean =>
    checks.length > 0 || (isEmpty(comparison) && mayApply(rule, comparison));
  const own = results.map((result, comparison) => {
    const rules = result.rules.filter((rule) => isOwn(rule, comparison));
    return { ...result, rules, outcome: worstOf(rules) };
  });
  const idle = (results[0]?.rules ?? []).filter((_, index) =>
    results.every(({ rules }, comparison) => {
      const rule = rules[index];
      return rule !== undefined && !isOwn(rule, comparison);
    }),
  );
  const subjects = results.flatMap((result) => result.subjects);
  return { own, idle: idle.length === 0 ? null : { outcome: worstOf(idle), rules: idle, subjects } };
}

/** An empty list is inconclusive. */
export function worstOf(parts: readonly { readonly outcome: GateOutcome }[]): GateOutcome {
  if (parts.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return parts.length > 0 && parts.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'inconclusive';
}
