/** The newest page of a run: made again when the run has stored more, and seldom enough not to disturb it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { LivePage } from '../../analysis/report/live/facts.ts';
import { clockText } from '../follow/progress-line.ts';
import { faultText } from './fault-text.ts';
import type { PageMaker } from './page-maker.ts';

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

export function createRunPage(folder: string, { maker, pace }: PageMaking): RunPage {
  let state: LivePage = { revision: 0, madeAt: null, fault: null };
  let [content, madeFrom, isMaking, nextMs] = ['', '', false, -Infinity];

  async function make(stored: string): Promise<void> {
    isMaking = true;
    const startedMs = performance.now();
    try {
      const at = clockText(Date.now());
      content = await maker.make(folder);
      state = { revision: Math.max(Date.now(), state.revision + 1), madeAt: at, fault: null };
    } catch (error) {
      state = { ...state, fault: faultText(error) };
    }
    madeFrom = stored;
    const tookMs = performance.now() - startedMs;
    nextMs = performance.now() + Math.max(pace.restMs, tookMs * (1 / pace.mostBusy - 1));
    isMaking = false;
  }

  return {
    renew() {
      const stored = storedState(folder);
      if (stored === null || stored === madeFrom || isMaking || performance.now() < nextMs) return;
      void make(stored);
    },
    state: () => state,
    content: () => content,
  };
}

/** Changes with every page that the run stores; null if there is no run to read. */
export function storedState(folder: string): string | null {
  const file = statSync(join(folder, 'manifest.json'), { throwIfNoEntry: false });
  return file === undefined ? null : [file.ino, file.size, file.mtimeMs].join(' ');
}
