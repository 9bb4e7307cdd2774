/** RobuNFR in a gate: each metric under each requirement and workflow. */
import { solutionsSource } from '../../../analysis/gate/solutions.ts';
import { nfrSolutions } from './solutions.ts';

export const requirementsSource = solutionsSource(nfrSolutions);
