/** What happens in a worker process, told to whoever counts or logs it. Holds no prompt, no answer and no key. */
import type { Outcome, StopReason } from '../../schemas/states.ts';

interface OfCall {
  readonly run: string;
  /** The model that is asked, such as a judge. */
  readonly model: string;
  readonly page: string;
  readonly step: string;
}

export interface CallEnd extends OfCall {
  readonly kind: 'call';
  /** `reused`: copied from another run. `unsent`: reserved, and given up before anything was sent. */
  readonly result: 'answered' | 'failed' | 'unsent' | 'reused';
  readonly latencyMs: number | null;
  /** Null if the price is not known. */
  readonly usd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Why there is no answer, as the ledger keeps it. */
  readonly failure: string | null;
}

export type RunEvent =
  | (OfCall & {
      /** A call was reserved and is about to be sent. */
      readonly kind: 'sent';
      /** An earlier attempt at it has failed in this process. */
      readonly isRetry: boolean;
    })
  | CallEnd
  /** A call begins to wait for its account, and ends waiting. `model` is the model under study. */
  | { readonly kind: 'waiting'; readonly model: string }
  | { readonly kind: 'waited'; readonly model: string; readonly ms: number }
  /** A sandbox is asked to run a program, and has run it. */
  | { readonly kind: 'sandbox'; readonly change: 1 | -1 }
  | {
      /** A verdict was stored. */
      readonly kind: 'program';
      readonly run: string;
      readonly suite: string;
      readonly outcome: Outcome;
      /** False if the verdict comes from an earlier run on this machine. */
      readonly isRun: boolean;
      readonly wallMs: number;
    }
  | {
      /** Tables were registered: of a page that is sealed now, or of the run. */
      readonly kind: 'parts';
      readonly run: string;
      readonly page: string | null;
      readonly parts: number;
      readonly rows: number;
      readonly bytes: number;
    }
  | {
      /** A step of a page, or of the run, ended. */
      readonly kind: 'step';
      readonly run: string;
      readonly page: string | null;
      readonly activity: string;
      readonly ms: number;
      /** Null if it succeeded. */
      readonly failure: string | null;
    }
  | {
      /** A model or, if it is null, the run takes no further calls. */
      readonly kind: 'stop';
      readonly run: string;
      readonly model: string | null;
      readonly reason: StopReason;
      readonly detail: string;
    };

export type Observe = (event: RunEvent) => void;
