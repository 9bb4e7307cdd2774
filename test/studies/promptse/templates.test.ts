import { expect, test } from 'vitest';
import { drawStyles, type Style } from '../../../studies/promptse/draw-styles.ts';
import { rewriteMessages } from '../../../studies/promptse/rewrite-prompt.ts';
import { templateFaults } from '../../../studies/promptse/template-faults.ts';
import {
  affectOf,
  collaborations,
  contexts,
  contextTemplate,
  emotions,
  emotionTemplate,
  experiences,
  lexicon,
  technicals,
  templateFiles,
  traitTemplates,
} from '../../../studies/promptse/templates.ts';
import { variantsByRules } from '../../../studies/promptse/variant-plan.ts';
import { promptParts } from '../../../studies/variants/prompt-parts.ts';
import { guardedTokens } from '../../../studies/variants/drift.ts';

const grid = technicals.flatMap((technical) =>
  experiences.flatMap((experience) =>
    collaborations.map((collaboration) => ({ technical, experience, collaboration })),
  ),
);

test('the emotions and the personality grid are those of section 2.1', () => {
  expect([...emotions].toSorted()).toEqual([
    'anxious',
    'calm',
    'confident',
    'excited',
    'focused',
    'frustrated',
    'stressed',
    'tired',
  ]);
  expect(technicals).toEqual([
    'algorithm_expert',
    'pragmatic_engineer',
    'experimental_innovator',
    'defensive_conservative',
  ]);
  expect(experiences).toEqual(['junior_explorer', 'senior_architect']);
  expect(collaborations).toEqual(['logic_driven', 'collaboration_oriented', 'plan_systematic', 'adaptive_flexible']);
  expect(grid).toHaveLength(32);
});

test('every template says role, language and expression, in its own words', () => {
  const templates = [...emotions.map(emotionTemplate), ...new Set(grid.flatMap(traitTemplates))];
  const texts = templates.flatMap((template) => [
    template.description,
    template.languageCharacteristics,
    template.expressionPattern,
  ]);
  for (const text of texts) expect(text.length).toBeGreaterThan(20);
  expect(new Set(texts).size).toBe(18 * 3);
});

test('no phrase of the rule-based rewriter brings in a number, a quoted value or an identifier', () => {
  const moods = emotions
    .map(emotionTemplate)
    .flatMap(({ interjections, clauses, openers, closers }) => [...interjections, ...clauses, ...openers, ...closers]);
  const traits = [...grid.flatMap(traitTemplates), ...contexts.map(contextTemplate)].flatMap(
    ({ sentences }) => sentences,
  );
  for (const text of [...moods, ...traits]) expect([text, ...guardedTokens(text, new Set())]).toEqual([text]);
  for (const { phrase, words } of lexicon)
    for (const other of Object.values(words))
      expect([...guardedTokens(other, new Set())]).toEqual([...guardedTokens(phrase, new Set())]);
});

test('valence and arousal are -1, 0 or 1, and only focused lies on an axis', () => {
  const flat = emotions.filter((emotion) => Object.values(affectOf(emotion)).includes(0));
  expect(flat).toEqual(['focused']);
  for (const emotion of emotions)
    for (const value of [affectOf(emotion).valence, affectOf(emotion).arousal]) expect([-1, 0, 1]).toContain(value);
});

test('a template file that lacks a part, has an empty text or an unknown mood is refused by name and place', () => {
  expect(templateFaults()).toEqual([]);
  const { closers: _, ...focused } = emotionTemplate('focused');
  const moods = { ...Object.fromEntries(emotions.map((emotion) => [emotion, emotionTemplate(emotion)])), focused };
  const faults = (name: string, content: unknown): string[] => templateFaults({ ...templateFiles, [name]: content });
  expect(faults('emotions.json', moods)).toEqual([
    expect.stringContaining('data/promptse/emotions.json, focused.closers: '),
  ]);
  expect(faults('emotions.json', { ...moods, focused: { ...emotionTemplate('focused'), description: ' ' } })).toEqual([
    expect.stringContaining('emotions.json, focused.description: '),
  ]);
  expect(
    faults('emotions.json', { ...moods, focused: emotionTemplate('focused'), bored: emotionTemplate('tired') }),
  ).toEqual([expect.stringContaining('emotions.json, ')]);
  expect(faults('contexts.json', undefined)).toEqual([expect.stringContaining('contexts.json, whole: ')]);
  expect(faults('lexicon.json', { return: ['give'] })).toEqual([expect.stringContaining('lexicon.json, return: ')]);
});

test('a condition of work is told to the rewriter and said by the rules, and changes neither mood nor profile', () => {
  const settings = { draws: 'balanced', contexts: false } as const;
  const plain = drawStyles(3, 'Tiny/1', 0.3, 30, settings);
  const placed = drawStyles(3, 'Tiny/1', 0.3, 30, { ...settings, contexts: true });
  expect(placed.map(({ emotion, personality, distance }) => ({ emotion, personality, distance }))).toEqual(plain);
  expect(new Set(placed.map(({ context }) => context))).toEqual(new Set(contexts));
  const long = 'Return what comes out when both are put together in the usual way, whatever they may be or come from. ';
  const text = long.repeat(3);
  const prompt = `def add(a, b):\n    """${text}"""\n`;
  for (const style of placed) {
    const sentence = contextTemplate(style.context ?? 'learning').description;
    const asked = rewriteMessages(promptParts(prompt, 'add'), style).at(-1)?.content;
    expect(asked).toContain(sentence);
  }
  expect(rewriteMessages(promptParts(prompt, 'add'), plain[0] as Style).at(-1)?.content).not.toContain('Situation');
  const worded = variantsByRules(
    { taskId: 'Tiny/1', prompt, entryPoint: 'add' },
    { ...settings, contexts: true, renameParameters: false, seed: 3, variants: 30, maxDraws: 12 },
  );
  const said = contexts.flatMap((context) => contextTemplate(context).sentences);
  expect(
    worded.filter((record) => said.some((sentence) => record.prompt?.replaceAll(/\s+/g, ' ').includes(sentence))),
  ).not.toEqual([]);
});
