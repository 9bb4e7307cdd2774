/** Explains elasticity, floor and excess to readers of the report. */
export const howToRead: readonly string[] = [
  'PromptSE asks each task with its original prompt and with variants that differ in emotion, personality and ' +
    'distance, m samples each. SoftExec is the share of correct samples, weighted by the softmax of their ' +
    'log-probabilities; PromptSELight uses the plain pass rate. Elasticity of a task is 1 minus the mean absolute ' +
    'difference between the scores of the original and of its variants (PromptSELight: 1 minus the absolute ' +
    'difference between the original’s score and the variants’ mean). E(d) is its mean over tasks. AUC-E = ' +
    '(E(0.1) + 4 E(0.2) + E(0.3)) / 9, as the paper prints it, at most 2/3; the normalised form divides by 6.',
  'With a few samples per prompt, two scores differ by chance even if wording changes nothing. Elasticity is then ' +
    'below 1 for every model whose answers are not always right or always wrong. The floor is the elasticity that ' +
    'chance alone gives: the original compared with independent draws of itself. The excess is elasticity minus ' +
    'floor: 0 if wording matters no more than chance, negative if it matters more. PromptSELight compares as many ' +
    'answers on both sides for it, so it is 0 by chance however few they are.',
  'Models are ranked by AUC-E, which favours models that answer every prompt alike, rightly or wrongly, and by ' +
    'excess, which removes the effect of chance. Intervals are Gaffke’s bounds over tasks. They only assume scores ' +
    'between 0 and 1, so they keep their 95 % with few tasks and near 0 and 1. A model without ' +
    'log-probabilities has PromptSELight only; nothing is imputed.',
];
