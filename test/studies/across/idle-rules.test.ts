/** What a study may have that a rule of a gate's policy asks about. */
import { expect, test } from 'vitest';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { specSchema } from '../../../schemas/spec.ts';
import { mayApply } from '../../../studies/across/idle-rules.ts';

const { studies } = specSchema.parse({
  name: 'kinds',
  models: [{ id: 'm', provider: 'simulated' }],
  benchmarks: { python: { format: 'evenkeel', path: 'a.jsonl' }, ruby: { format: 'evenkeel', path: 'b.jsonl' } },
  studies: [
    { name: 'loops', kind: 'evaloop', benchmark: 'python', settings: { judge: 'none' } },
    { name: 'chain', kind: 'evaloop-translation', benchmark: 'python', settings: { through: ['ruby'] } },
    { name: 'words', kind: 'promptse', benchmark: 'ruby' },
    { name: 'plain', kind: 'pass', benchmark: 'ruby' },
  ],
});

// Red before: where a study had no task in both runs, all rules of the policy had a row in it.
test.each([
  [{ metric: 'asl_unweighted' }, ['loops']],
  [{ metric: 'chain_score' }, ['chain']],
  [{ metric: 'pass_at_1' }, ['loops', 'words', 'plain']],
  [{ metric: 'pass_at_1', benchmark: 'ruby' }, ['words', 'plain']],
  [{ metric: 'auc_e_excess', dimension: 'light' }, ['words']],
  [{ metric: 'auc_e_excess', dimension: 'lihgt' }, []],
  [{ metric: 'pass_at_1', workflow: 'nfr-enhanced' }, []],
])('%o may apply to %j', (rule, names) => {
  const [one] = gatePolicySchema.parse({ rules: [rule] }).rules;
  if (one === undefined) throw new Error('no rule');
  expect(studies.filter((study) => mayApply(one, study)).map(({ name }) => name)).toEqual(names);
});
