import { expect, test } from 'vitest';
import {
  affectOf,
  collaborations,
  emotions,
  emotionTemplate,
  experiences,
  lexicon,
  technicals,
  traitTemplates,
} from '../../../studies/promptse/templates.ts';
import { guardedTokens } from '../../../studies/variants/drift.ts';

const grid = technicals.flatMap((technical) =>
  experiences.flatMap((experience) => collaborations.map((collaboration) => ({ technical, experience, collaboration }))),
);

test('the emotions and the personality grid are those of section 2.1', () => {
  expect([...emotions].toSorted()).toEqual(['anxious', 'calm', 'confident', 'excited', 'focused', 'frustrated', 'stressed', 'tired']);
  expect(technicals).toEqual(['algorithm_expert', 'pragmatic_engineer', 'experimental_innovator', 'defensive_conservative']);
  expect(experiences).toEqual(['junior_explorer', 'senior_architect']);
  expect(collaborations).toEqual(['logic_driven', 'collaboration_oriented', 'plan_systematic', 'adaptive_flexible']);
  expect(grid).toHaveLength(32);
});

test('every template says role, language and expression, in words of its own', () => {
  const templates = [...emotions.map(emotionTemplate), ...new Set(grid.flatMap(traitTemplates))];
  const texts = templates.flatMap((template) => [template.description, template.languageCharacteristics, template.expressionPattern]);
  for (const text of texts) expect(text.length).toBeGreaterThan(20);
  expect(new Set(texts).size).toBe(18 * 3);
});

test('no phrase of the rule-based rewriter brings in a number, a quoted value or an identifier', () => {
  const moods = emotions
    .map(emotionTemplate)
    .flatMap(({ interjections, clauses, openers, closers }) => [...interjections, ...clauses, ...openers, ...closers]);
  const traits = grid.flatMap(traitTemplates).flatMap(({ sentences }) => sentences);
  for (const text of [...moods, ...traits]) expect([text, ...guardedTokens(text, new Set())]).toEqual([text]);
  for (const { phrase, words } of lexicon)
    for (const other of Object.values(words)) expect([...guardedTokens(other, new Set())]).toEqual([...guardedTokens(phrase, new Set())]);
});

test('valence and arousal are -1, 0 or 1, and only focused lies on an axis', () => {
  const flat = emotions.filter((emotion) => Object.values(affectOf(emotion)).includes(0));
  expect(flat).toEqual(['focused']);
  for (const emotion of emotions)
    for (const value of [affectOf(emotion).valence, affectOf(emotion).arousal]) expect([-1, 0, 1]).toContain(value);
});
