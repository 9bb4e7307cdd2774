const most = 120;

/** The beginning of a problem's text: its docstring, if there is one, without quotes and line breaks. */
export function taskWords(prompt: string): string {
  const docstring = /("""|''')([\s\S]*?)(\1|$)/.exec(prompt)?.[2] ?? prompt;
  const words = docstring.replaceAll(/\s+/g, ' ').trim();
  return words.length > most ? `${words.slice(0, most)}…` : words;
}
