/** Code with syntax colours. highlight.js gives tokens, which become elements with text. */
import { element } from './elements.js';

/** Collects the tokens of highlight.js in place of its own emitter of HTML. */
class TokenElements {
  constructor() {
    this.root = element('code', {});
    this.open = [this.root];
  }
  addText(text) {
    this.open.at(-1).append(text);
  }
  startScope(scope) {
    const span = element('span', { class: `c-${scope.split('.')[0].replaceAll(/[^a-z_]/g, '')}` });
    this.open.at(-1).append(span);
    this.open.push(span);
  }
  endScope() {
    this.open.pop();
  }
  openNode(scope) {
    this.startScope(scope);
  }
  closeNode() {
    this.endScope();
  }
  __addSublanguage({ root }) {
    this.open.at(-1).append(...root.childNodes);
  }
  closeAllNodes() {}
  finalize() {}
  toHTML() {
    return '';
  }
}
hljs.configure({ __emitter: TokenElements });

/** The text as it is if the language is not known. */
export const coloured = (text, language) =>
  hljs.getLanguage(language) === undefined
    ? element('code', {}, text)
    : hljs.highlight(text, { language, ignoreIllegals: true })._emitter.root;

/** The lines of coloured code, each a list of nodes: a token over several lines is divided. */
export const linesOf = (code) => {
  const lines = [[]];
  for (const node of code.childNodes) {
    const parts = node.nodeType === Node.TEXT_NODE ? textLines(node) : elementLines(node);
    parts.forEach((part, place) => {
      if (place > 0) lines.push([]);
      lines.at(-1).push(part);
    });
  }
  return lines;
};

const textLines = (node) => node.data.split('\n');
const elementLines = (node) => linesOf(node).map((parts) => element('span', { class: node.className }, ...parts));
