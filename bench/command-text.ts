/** This process's command as a user gives it, without the option that saves its tables. */
export function commandText(): string {
  const args = process.argv.slice(2);
  const kept = args.filter((text, index) => !/^--save(?:=|$)/.test(text) && args[index - 1] !== '--save');
  return `npm run bench -- ${kept.map((text) => (text.includes(' ') ? `"${text}"` : text)).join(' ')}`;
}
