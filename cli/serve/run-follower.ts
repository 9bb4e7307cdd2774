/** Follows one run for its served page. Opens its ledger for each look and closes it, so that nothing is held. */
import type { FailedCall } from '../../activities/storage/ledger/ledger-counts.ts';
import type { LedgerLook } from '../../activities/storage/ledger/ledger.ts';
import type { LiveFacts, LivePage } from '../../analysis/report/live/facts.ts';
import { factsHtml } from '../../analysis/report/live/facts-html.ts';
import { followFailures } from '../follow/latest-failures.ts';
import { followMovement } from '../follow/movement.ts';
import type { ProgressPoint } from '../follow/progress-line.ts';
import { isSettled, type RunSnapshot, snapshotOf } from '../follow/run-snapshot.ts';
import { type RunWithLedger, slowWorkSoon } from '../follow/slow-work.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { faultText } from './fault-text.ts';
import { liveFacts, type ModelMovement } from './live-facts.ts';
import { createPoll, type Poll } from './poll.ts';
import { createRunPage, type PageMaking } from './run-page.ts';

export interface RunFollower {
  readonly poll: Poll<SeenRun>;
  /** The page's content as HTML; empty before the first. */
  content(): string;
}

export interface SeenRun {
  /** HTML. */
  readonly facts: string;
  readonly revision: number;
  /** No process works on it. */
  readonly isAtRest: boolean;
}

const pauseMs = { underWay: 1_000, atRest: 3_000 };
/** Newest failures that are looked through for the latest of each model. */
const failuresRead = 200;
const pointsKept = 120;

export function createRunFollower(runsDir: string, id: string, making: PageMaking): RunFollower {
  const page = createRunPage(runCatalog(runsDir).home(id), making);
  const look = lookAtRun(runsDir, id);
  const seen = (facts: LiveFacts, isAtRest: boolean): SeenRun => {
    page.renew();
    const state: LivePage = page.state();
    return { facts: factsHtml(facts, state).markup, revision: state.revision, isAtRest };
  };
  let last: LiveFacts = { ...nothingKnown, run: id };
  const once = async (): Promise<SeenRun> => {
    try {
      const { facts, isAtRest } = await look();
      last = facts;
      return seen(facts, isAtRest);
    } catch (error) {
      const state = await storedStateName(runsDir, id);
      return seen({ ...last, state, isUnderWay: false, waiting: [], troubles: [faultText(error)] }, true);
    }
  };
  const poll = createPoll(once, ({ isAtRest }) => (isAtRest ? pauseMs.atRest : pauseMs.underWay));
  return { poll, content: page.content };
}

/** Of a run whose results can be read, though its ledger cannot: copies of a run may come without it. */
const storedStateName = (runsDir: string, id: string): Promise<string> =>
  runCatalog(runsDir)
    .find(id)
    .then(
      ({ manifest }) => manifest.state,
      () => 'unreadable',
    );

const nothingKnown: Omit<LiveFacts, 'run'> = {
  ...{ state: 'unreadable', isUnderWay: false, detail: null, done: 0, cells: 0 },
  ...{ figures: [], waiting: [], troubles: [], failures: [], models: [] },
};

function lookAtRun(runsDir: string, id: string): () => Promise<{ facts: LiveFacts; isAtRest: boolean }> {
  const catalog = runCatalog(runsDir);
  const failuresOf = followFailures(failuresRead);
  const models = followModels();
  let ledger: LedgerLook;
  const current: RunWithLedger['ledger'] = {
    references: (keys) => ledger.references(keys),
    pageStates: (pages) => ledger.pageStates(pages),
  };
  let movementOf: ReturnType<typeof followMovement> | undefined;
  return async () => {
    const { home, manifest } = await catalog.find(id);
    ledger = await home.openLedgerToLook();
    try {
      const seen = await snapshotOf(home, catalog.ownership(id), ledger, failuresOf);
      movementOf ??= followMovement(slowWorkSoon({ home, manifest, ledger: current }));
      return {
        facts: liveFacts(seen, await movementOf(seen), models(seen), Date.now()),
        isAtRest: isSettled(seen),
      };
    } finally {
      await ledger.close();
    }
  };
}

/** Keeps each model's answers over time, and its latest failure. */
function followModels(): (seen: RunSnapshot) => ModelMovement {
  const points = new Map<string, ProgressPoint[]>();
  const failures = new Map<string, FailedCall>();
  return ({ progress, calls, failures: newest }) => {
    const atMs = performance.now();
    for (const [model, lanes] of Map.groupBy(progress.lanes, (lane) => lane.model)) {
      const done = lanes.reduce((sum, { answered }) => sum + answered, 0);
      points.set(model, [...(points.get(model) ?? []), { atMs, done }].slice(-pointsKept));
    }
    for (const call of newest.toReversed()) failures.set(call.answeringModel, call);
    return { calls, points, failures };
  };
}
