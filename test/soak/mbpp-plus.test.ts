import { afterAll, beforeAll, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { expectWholeRun, mbppPlus } from '../support/mbpp-plus-run.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
});
afterAll(() => deployment.close());

test.skipIf(!mbppPlus.isThere)(
  `two simulated models go through all 378 tasks of MBPP+ to the end${mbppPlus.note}`,
  () => expectWholeRun(deployment, 378),
);
