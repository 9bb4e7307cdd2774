/** Parses the Python expressions that occur in test data: literals, names, calls, arithmetic, comparisons. */
import { PythonSyntaxError } from './syntax-error.ts';
import { createTokens, type Token } from './tokens.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in';

export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string' | 'bytes'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'attribute'; readonly of: Expression; readonly name: string }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly keywords: readonly Keyword[];
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | 'not'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

export interface Keyword {
  readonly name: string;
  readonly value: Expression;
}

/** Keywords of expressions that are not supported: comprehensions, lambdas, conditions. */
const reserved = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in ' +
    'is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
const sums = new Set(['+', '-']);
const products = new Set(['*', '/', '//', '%']);

/** Parses the whole text as one expression. Throws `PythonSyntaxError`. */
export function parseExpression(text: string): Expression {
  const parser = new Parser(text);
  const expression = parser.expression();
  parser.expect('');
  return expression;
}

/**
 * The condition of an `assert` statement, without its message; null for other statements. Throws `PythonSyntaxError`.
 */
export function parseAssert(text: string): Expression | null {
  const parser = new Parser(text);
  if (!parser.taken('assert')) return null;
  const test = parser.expression();
  if (parser.taken(',')) parser.expression();
  parser.expect('');
  return test;
}

class Parser {
  readonly #tokens: ReturnType<typeof createTokens>;
  #token: Token;

  constructor(text: string) {
    this.#tokens = createTokens(text);
    this.#token = this.#tokens.next();
  }

  /** Consumes the next token if it is this word or operator, and says whether it was. */
  taken(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#token = this.#tokens.next();
    return true;
  }

  /** @param text '' stands for the end */
  expect(text: string): void {
    if (text === '' ? this.#token.kind !== 'end' : !this.taken(text)) throw this.#error(text === '' ? 'the end' : text);
  }

  /** Without `and`, `or`, conditions and lambdas. */
  expression(): Expression {
    if (this.taken('not')) return { kind: 'unary', operator: 'not', operand: this.expression() };
    const left = this.#sum();
    const operator = this.#comparison();
    if (operator === null) return left;
    const compared: Expression = { kind: 'compare', operator, left, right: this.#sum() };
    if (this.#comparison() !== null) throw new PythonSyntaxError('chained comparisons are not supported');
    return compared;
  }

  #is(text: string): boolean {
    return (this.#token.kind === 'operator' || this.#token.kind === 'name') && this.#token.text === text;
  }

  #error(wanted: string): PythonSyntaxError {
    return new PythonSyntaxError(
      `expected ${wanted}, got ${this.#token.kind === 'string' ? 'a string' : this.#token.text || 'the end'}`,
    );
  }

  #comparison(): CompareOperator | null {
    if (this.taken('is')) return this.taken('not') ? 'is not' : 'is';
    if (this.taken('in')) return 'in';
    if (this.taken('not')) {
      this.expect('in');
      return 'not in';
    }
    return this.#operatorIn(comparisons) as CompareOperator | null;
  }

  #operatorIn(wanted: ReadonlySet<string>): string | null {
    if (this.#token.kind !== 'operator' || !wanted.has(this.#token.text)) return null;
    const { text } = this.#token;
    this.#token = this.#tokens.next();
    return text;
  }

  #sum(): Expression {
    return this.#leftToRight(sums, () => this.#leftToRight(products, () => this.#signed()));
  }

  #leftToRight(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    let left = operand();
    for (let operator = this.#operatorIn(operators); operator !== null; operator = this.#operatorIn(operators))
      left = { kind: 'binary', operator: operator as BinaryOperator, left, right: operand() };
    return left;
  }

  #signed(): Expression {
    const operator = this.#operatorIn(sums) as '-' | '+' | null;
    return operator === null ? this.#power() : { kind: 'unary', operator, operand: this.#signed() };
  }

  #power(): Expression {
    const left = this.#postfixed();
    return this.taken('**') ? { kind: 'binary', operator: '**', left, right: this.#signed() } : left;
  }

  #postfixed(): Expression {
    let value = this.#atom();
    for (;;) {
      if (this.taken('(')) value = { kind: 'call', callee: value, ...this.#arguments() };
      else if (this.taken('.')) value = { kind: 'attribute', of: value, name: this.#name() };
      else return value;
    }
  }

  #arguments(): { args: Expression[]; keywords: Keyword[] } {
    const args: Expression[] = [];
    const keywords: Keyword[] = [];
    while (!this.taken(')')) {
      const value = this.expression();
      if (value.kind === 'name' && this.taken('=')) keywords.push({ name: value.name, value: this.expression() });
      else args.push(value);
      if (!this.taken(',') && !this.#is(')')) throw this.#error('a comma or )');
    }
    return { args, keywords };
  }

  #name(): string {
    if (this.#token.kind !== 'name' || reserved.has(this.#token.text)) throw this.#error('a name');
    const { text } = this.#token;
    this.#token = this.#tokens.next();
    return text;
  }

  #atom(): Expression {
    if (this.#token.kind === 'string') return this.#strings();
    if (this.#token.kind === 'number') return this.#number(this.#token.text);
    if (this.taken('(')) return this.#parenthesised();
    if (this.taken('[')) return { kind: 'list', items: this.#items(']').items };
    if (this.taken('{')) return this.#braced();
    return { kind: 'name', name: this.#name() };
  }

  #number(text: string): Expression {
    this.#token = this.#tokens.next();
    return { kind: 'number', text };
  }

  /** Adjacent literals are joined. */
  #strings(): Expression {
    let text = '';
    const isBytes = this.#token.kind === 'string' && this.#token.literal.isBytes;
    while (this.#token.kind === 'string') {
      if (this.#token.literal.isBytes !== isBytes) throw new PythonSyntaxError('bytes next to a string');
      text += this.#token.literal.text;
      this.#token = this.#tokens.next();
    }
    return { kind: isBytes ? 'bytes' : 'string', text };
  }

  #items(close: string): { readonly items: Expression[]; readonly commas: number } {
    const items: Expression[] = [];
    let commas = 0;
    while (!this.taken(close)) {
      items.push(this.expression());
      if (this.taken(',')) commas += 1;
      else if (!this.#is(close)) throw this.#error(`a comma or ${close}`);
    }
    return { items, commas };
  }

  #parenthesised(): Expression {
    const { items, commas } = this.#items(')');
    return items.length === 1 && commas === 0 ? (items[0] as Expression) : { kind: 'tuple', items };
  }

  #braced(): Expression {
    if (this.taken('}')) return { kind: 'dict', entries: [] };
    const first = this.expression();
    if (!this.taken(':')) return this.#set(first);
    const entries: [Expression, Expression][] = [[first, this.expression()]];
    while (this.taken(',') && !this.#is('}')) {
      const key = this.expression();
      this.expect(':');
      entries.push([key, this.expression()]);
    }
    this.expect('}');
    return { kind: 'dict', entries };
  }

  #set(first: Expression): Expression {
    if (this.taken('}')) return { kind: 'set', items: [first] };
    this.expect(',');
    return { kind: 'set', items: [first, ...this.#items('}').items] };
  }
}
