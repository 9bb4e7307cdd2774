import { excludedOutcomes } from '../schemas/states.ts';
import { quoteText } from './views.ts';

/** The outcomes of answers that could not be judged, for an SQL condition `outcome IN (...)`. */
export const excludedList = [...excludedOutcomes].map(quoteText).join(', ');
