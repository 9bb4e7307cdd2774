/** The newest page of a run: made again when the run has stored more, and seldom enough not to disturb it. */
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { LivePage } from '../../analysis/report/live/facts.ts';
import { clockText } from '../follow/progress-line.ts';
import { faultText } from './fault-text.ts';
import type { PageMaker } from './page-maker.ts';
import { storedState } from './stored-state.ts';

export interface RunPage {
  /** Starts to make a newer page, if the run has stored something since and the last page was made some time ago. */
  renew(): void;
  state(): LivePage;
  /** HTML; empty before the first page. */
  content(): string;
}

export interface PageMaking {
  readonly maker: PageMaker;
  readonly pace: PagePace;
}

/** How often a page may be made again. */
export interface PagePace {
  /** Shortest time between two pages. */
  readonly restMs: number;
  /** Share of the time that making may take. */
  readonly mostBusy: number;
}

export function createRunPage(home: RunHome, { maker, pace }: PageMaking): RunPage {
  let state: LivePage = { revision: 0, madeAt: null, fault: null };
  let [content, madeFrom, isBusy, nextMs] = ['', '', false, -Infinity];

  async function make(stored: string): Promise<void> {
    const startedMs = performance.now();
    try {
      const at = clockText(Date.now());
      content = await maker.make(await home.tables());
      state = { revision: Math.max(Date.now(), state.revision + 1), madeAt: at, fault: null };
    } catch (error) {
      state = { ...state, fault: faultText(error) };
    }
    madeFrom = stored;
    const tookMs = performance.now() - startedMs;
    nextMs = performance.now() + Math.max(pace.restMs, tookMs * (1 / pace.mostBusy - 1));
  }

  async function renewIfStored(): Promise<void> {
    isBusy = true;
    try {
      const stored = await storedState(home);
      if (stored !== null && stored !== madeFrom) await make(stored);
    } catch (error) {
      state = { ...state, fault: faultText(error) };
    } finally {
      isBusy = false;
    }
  }

  return {
    renew() {
      if (!isBusy && performance.now() >= nextMs) void renewIfStored();
    },
    state: () => state,
    content: () => content,
  };
}
