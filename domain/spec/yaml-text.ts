/** Parses a spec: a single YAML 1.2 or JSON document, without the traps of YAML such as huge alias expansions. */
import {
  type Alias,
  type Document,
  isAlias,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { InputError } from '../errors.ts';
import type { SpecText } from './faults.ts';

/** Most values that all aliases of a spec may expand to. */
const aliasedValues = 10_000;

interface TextFault {
  readonly offset: number;
  readonly rule: string;
}

/**
 * @param whereExamples hint for an empty text
 * @throws InputError for the first syntax fault, with its place
 */
export function readYaml(text: string, file: string, whereExamples: string): SpecText & { readonly value: unknown } {
  const lines = new LineCounter();
  // A collection as a key is refused later; the library would print a warning first.
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'error' },
  });
  const fault =
    syntaxFault(document, text, whereExamples) ??
    aliasFault(document) ??
    keyFault(document) ??
    surrogateFault(document);
  if (fault) {
    const { line, col } = lines.linePos(fault.offset);
    throw new InputError(fault.rule, { file, line, column: col });
  }
  return { file, document, lines, value: document.toJS({ maxAliasCount: -1 }) };
}

/** Warnings count as faults: a construct that YAML only warns of, such as an unknown tag, has no meaning in a spec. */
function syntaxFault(
  { errors, warnings, contents }: Document.Parsed,
  text: string,
  whereExamples: string,
): TextFault | undefined {
  const [broken] = [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  // The parser recurses for every level and reports a stack overflow at an arbitrary place.
  if (broken && /call stack|stack overflow/i.test(broken.message)) return { offset: 0, rule: 'is nested too deeply' };
  if (broken) return { offset: broken.pos[0], rule: syntaxRule(broken, text) };
  return contents === null ? { offset: 0, rule: `is empty; ${whereExamples}` } : undefined;
}

function syntaxRule({ code, message, pos }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY')
    return `duplicate key ${/^("[^"]*"|[^\s:]*)/.exec(text.slice(pos[0]))?.[0] ?? ''}; keys must be unique`;
  if (code === 'MULTIPLE_DOCS') return 'a second YAML document starts here; the file must have only one';
  if (code === 'TAB_AS_INDENT') return 'is not YAML: tabs are not allowed as indentation, use spaces';
  return `is not YAML or JSON: ${message}`;
}

/** An alias without an anchor, inside its own anchor, or expanding to too many values. */
function aliasFault(document: Document): TextFault | undefined {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const sizeOf = createSizes(targets);
  let total = 0;
  let fault: TextFault | undefined;
  visit(document, {
    Node: (_, node, ancestors) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return undefined;
      }
      const target = anchors.get(node.source);
      if (target === undefined) fault = { offset: startOf(node), rule: `no anchor &${node.source} before this alias` };
      else if (ancestors.includes(target))
        fault = { offset: startOf(node), rule: `the anchor &${node.source} contains itself` };
      else {
        targets.set(node, target);
        total += sizeOf(node);
        if (total > aliasedValues)
          fault = {
            offset: startOf(node),
            rule: `aliases expand to more than ${aliasedValues} values: write the values out`,
          };
      }
      return fault ? visit.BREAK : undefined;
    },
  });
  return fault;
}

/** Number of values of a node with its aliases expanded. */
function createSizes(targets: ReadonlyMap<Alias, Node>): (node: unknown) => number {
  const sizes = new Map<Node, number>();
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (!isNode(node)) return 0;
    const size = sizes.get(node) ?? (isAlias(node) ? sizeOf(targets.get(node)) : 1 + sum(itemsOf(node).map(sizeOf)));
    sizes.set(node, size);
    return size;
  };
  return sizeOf;
}

/** Refuses half of a surrogate pair (`"\\ud800"`): tables are UTF-8, which has none, so two names could become one. */
function surrogateFault(document: Document): TextFault | undefined {
  let fault: TextFault | undefined;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string' || node.value.isWellFormed()) return undefined;
      fault = { offset: startOf(node), rule: 'half of a surrogate pair: write the whole character' };
      return visit.BREAK;
    },
  });
  return fault;
}

/** Refuses the key `__proto__`, which JavaScript would silently drop as an object's prototype. */
function keyFault(document: Document): TextFault | undefined {
  let fault: TextFault | undefined;
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return undefined;
      fault = { offset: startOf(key), rule: 'unknown key "__proto__"' };
      return visit.BREAK;
    },
  });
  return fault;
}

const itemsOf = (node: Node): readonly unknown[] => ('items' in node ? node.items : []);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const startOf = (node: Node): number => node.range?.[0] ?? 0;
