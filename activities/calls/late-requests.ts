/** When the text of a request is made: not before its account admits it, and only once if that is at once. */
import type { RunPage } from '../runs/opened/run.ts';
import type { AskedModel } from './asked-model.ts';
import type { Call } from './call.ts';

/** What `make` gives, kept until the event loop has turned twice: a call that need not wait has started by then. */
export function keptForNow<T>(make: () => T): () => T {
  let kept: T | null = null;
  return () => {
    if (kept !== null) return kept;
    const made = make();
    kept = made;
    setImmediate(() => setImmediate(() => (kept = null)));
    return made;
  };
}

/**
 * The call, made when it is first wanted: a request waits for its account without its text, since a large run has
 * hundreds of thousands that wait. It may wait for long: by then the model may be known to think, and is sent no limit
 * of its study's.
 */
export function madeWhenAdmitted(made: () => Call, page: RunPage, model: AskedModel): () => Call {
  let call: Call | null = null;
  return () => {
    if (call === null || (call.sendsStudyLimit && page.run.reasoners.thinks(model.id))) call = made();
    return call;
  };
}
