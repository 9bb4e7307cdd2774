/**
 * Every workflow of the program: the bundle's entry. A page's workflow is named after its study's kind, unless the
 * study names another.
 */
export { chain } from './chain.ts';
export { evaloop } from './evaloop.ts';
export { pass } from './pass.ts';
export { posets } from './posets.ts';
export { promptse } from './promptse.ts';
export { robunfr } from './robunfr.ts';
export { specificity } from './specificity.ts';
export { lane } from './lane.ts';
export { variants } from './variants.ts';
export { lanes } from './lanes.ts';
export { references } from './references.ts';
export { sweep } from './sweep.ts';
export { watch } from './watch.ts';
