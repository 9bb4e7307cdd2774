/** The replication of a study's paper in a report. */
import { type Part, type Section, section } from './part.ts';

/** Its research questions and its tables next to the published ones, folded: most readers come for their own models. */
export const besidePaper = (parts: readonly Part[]): Section => section('Beside the paper', parts, { folded: true });
