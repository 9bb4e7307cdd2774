/** Reads the examples out of the page: a plain index, and chunks that are unpacked when an example is opened. */
import { byId } from './elements.js';

export let index = { examples: [], chunks: [], examplesPerChunk: 1 };
let placeOf = new Map();
const unpacked = new Map();

export const readIndex = () => {
  index = JSON.parse(byId('example-data').textContent);
  placeOf = new Map(index.examples.map(({ id }, place) => [id, place]));
  unpacked.clear();
};

const unpack = (chunk) => {
  if (!unpacked.has(chunk)) {
    const bytes = Uint8Array.from(atob(index.chunks[chunk]), (character) => character.charCodeAt(0));
    unpacked.set(chunk, new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json());
  }
  return unpacked.get(chunk);
};

/** Texts are stored once per chunk: puts them back into a step. */
const withTexts = (step, texts) => ({
  ...step,
  messages: messagesWith(texts, step.messages),
  original: step.original === null ? null : messagesWith(texts, step.original),
  reply: texts[step.reply],
  solution: step.solution === null ? null : texts[step.solution],
});

const messagesWith = (texts, messages) => messages.map(({ role, content }) => ({ role, content: texts[content] }));

/** An example with its steps; undefined if the page does not hold it. */
export const loadExample = async (id) => {
  if (index.from !== undefined) return fetchExample(id);
  const place = placeOf.get(id);
  if (place === undefined) return undefined;
  const { steps, texts } = await unpack(Math.floor(place / index.examplesPerChunk));
  const own = steps[place % index.examplesPerChunk];
  return { ...index.examples[place], steps: own.map((step) => withTexts(step, texts)) };
};

/** From the server of the page. */
const fetchExample = async (id) => {
  const answer = await fetch(index.from + encodeURIComponent(id));
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
};
