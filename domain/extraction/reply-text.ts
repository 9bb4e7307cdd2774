/** Reduces a reply to its answer: without thoughts and control tokens, and with uniform line ends. */

/** Reasoning models put their thoughts before the answer between one of these pairs. */
const thoughtTags: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[THINK]', '[/THINK]'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
];
const finalChannel = '<|channel|>final<|message|>';
const controlToken = /<\|(?:im_end|im_start|endoftext|end|eot_id|EOT|return)\|>|<\/s>|<｜end▁of▁sentence｜>/g;

/** Indentation with non-breaking or zero-width spaces, which chat windows and web pages insert and Python refuses. */
const oddSpace = /[\u00a0\u202f\u200b\u2060\ufeff]/;
const oddIndentation = /^[ \t]*[\u00a0\u202f\u200b\u2060\ufeff][ \t\u00a0\u202f\u200b\u2060\ufeff]*/gm;

/**
 * The answer in a reply, without blank lines at both ends. Thoughts are removed with their tags. An unclosed thought
 * removes everything after its start (the answer never began), an unopened one everything before its end.
 */
export function answerText(reply: string): string {
  const lines = withPlainIndentation(reply.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const channel = lines.lastIndexOf(finalChannel);
  const answer = channel === -1 ? lines : lines.slice(channel + finalChannel.length);
  return trimBlankLines(withoutThoughts(answer).replace(controlToken, ''));
}

/** Most replies have no odd space, which is seen six times sooner than that no line begins with one. */
function withPlainIndentation(text: string): string {
  if (!oddSpace.test(text)) return text;
  return text.replace(oddIndentation, (margin) =>
    margin.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200b\u2060\ufeff]/g, ''),
  );
}

function withoutThoughts(text: string): string {
  let rest = text;
  for (let tag = openedBy(rest); tag !== undefined; tag = openedBy(rest)) {
    const end = rest.indexOf(tag[1]);
    if (end === -1) return '';
    rest = rest.slice(end + tag[1].length);
  }
  return thoughtTags.reduce((answer, [open, close]) => withoutOpenThought(answer, open, close), rest);
}

function openedBy(text: string): readonly [open: string, close: string] | undefined {
  const start = text.trimStart();
  return thoughtTags.find(([open]) => start.startsWith(open));
}

/**
 * The opening tag is often part of the prompt template; the reply then only has the closing one,
 * at the start or end of a line.
 */
function withoutOpenThought(text: string, open: string, close: string): string {
  const end = text.lastIndexOf(close);
  if (end === -1 || text.lastIndexOf(open, end) !== -1) return text;
  const before = text.slice(text.lastIndexOf('\n', end) + 1, end);
  const after = text[end + close.length] ?? '\n';
  return before.trim() === '' || after === '\n' ? text.slice(end + close.length) : text;
}

/** Without blank lines at the ends; indentation of the first line stays. */
function trimBlankLines(text: string): string {
  const whole = text.trimEnd();
  const firstInk = whole.length - whole.trimStart().length;
  return whole.slice(firstInk === 0 ? 0 : whole.lastIndexOf('\n', firstInk - 1) + 1);
}
