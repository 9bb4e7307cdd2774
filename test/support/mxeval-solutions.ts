/**
 * Solutions of twelve MXEVAL tasks, written by hand: bodies of the functions that the prompts' signatures begin, by
 * language and number of the task.
 */

export type SolvedLanguage = keyof typeof mxevalBodies;

/** The end of a function that a prompt begins. */
export const functionEnds: Readonly<Record<SolvedLanguage, string>> = {
  javascript: '}',
  php: '}',
  ruby: 'end',
  perl: '}',
};

export const mxevalBodies = {
  javascript: {
    2: 'return testtup1.filter((x) => testtup2.includes(x)).sort((a, b) => a - b);',
    3: 'for (let d = 2; d * d <= n; d++) if (n % d === 0) return true;\nreturn false;',
    4: 'return [...nums].sort((x, y) => y - x).slice(0, n);',
    6: 'const x = a ^ b;\nreturn x !== 0 && (x & (x - 1)) === 0;',
    7: "return text.split(' ').filter((word) => word.length >= 4);",
    8: 'return nums.map((x) => x * x);',
    9: 'for (let k = 1; k <= str.length; k++) if (str.slice(k) + str.slice(0, k) === str) return k;',
    11:
      "const rest = s.replace(ch, '');\nconst last = rest.lastIndexOf(ch);\n" +
      'return last < 0 ? rest : rest.slice(0, last) + rest.slice(last + 1);',
    14: 'return (l * b * h) / 2;',
    17: 'return 4 * a;',
    18: "return [...string].filter((c) => !secondstring.includes(c)).join('');",
    19: 'return new Set(arraynums).size < arraynums.length;',
  },
  php: {
    2: '$both = array_values(array_intersect($testtup1, $testtup2));\nsort($both);\nreturn $both;',
    3: 'for ($d = 2; $d * $d <= $n; $d++) { if ($n % $d == 0) { return true; } }\nreturn false;',
    4: 'rsort($nums);\nreturn array_slice($nums, 0, $n);',
    6: '$x = $a ^ $b;\nreturn $x != 0 && ($x & ($x - 1)) == 0;',
    7: "return array_values(array_filter(explode(' ', $text), fn($word) => strlen($word) >= 4));",
    8: 'return array_map(fn($x) => $x * $x, $nums);',
    9: 'for ($k = 1; $k <= strlen($str); $k++) { if (substr($str, $k) . substr($str, 0, $k) === $str) { return $k; } }',
    11:
      "$first = strpos($s, $ch);\nif ($first === false) { return $s; }\n$s = substr_replace($s, '', $first, 1);\n" +
      "$last = strrpos($s, $ch);\nreturn $last === false ? $s : substr_replace($s, '', $last, 1);",
    14: 'return $l * $b * $h / 2;',
    17: 'return 4 * $a;',
    18: "return str_replace(str_split($secondstring), '', $string);",
    19: 'return count(array_unique($arraynums)) < count($arraynums);',
  },
  ruby: {
    2: '(test_tup1 & test_tup2).sort',
    3: '(2..Integer.sqrt(n)).any? { |d| n % d == 0 }',
    4: 'nums.max(n)',
    6: 'x = a ^ b\nx != 0 && (x & (x - 1)) == 0',
    7: "text.split(' ').select { |word| word.length >= 4 }",
    8: 'nums.map { |x| x * x }',
    9: '(1..str.length).find { |k| str[k..] + str[0, k] == str }',
    11: "s = s.sub(ch, '')\nlast = s.rindex(ch)\nlast ? s[0...last] + s[(last + 1)..] : s",
    14: 'l * b * h / 2',
    17: '4 * a',
    18: 'string.chars.reject { |c| second_string.include?(c) }.join',
    19: 'arraynums.uniq.length < arraynums.length',
  },
  perl: {
    2: 'my %in = map { $_ => 1 } @$test_tup2;\nreturn [sort { $a <=> $b } grep { $in{$_} } @$test_tup1];',
    3: 'for my $d (2 .. int(sqrt($n))) { return 1 if $n % $d == 0; }\nreturn 0;',
    4: 'my @sorted = sort { $b <=> $a } @$nums;\nreturn [@sorted[0 .. $n - 1]];',
    6: 'my $x = $a ^ $b;\nreturn $x != 0 && ($x & ($x - 1)) == 0 ? 1 : 0;',
    7: 'return [grep { length($_) >= 4 } split(/ /, $text)];',
    8: 'return [map { $_ * $_ } @$nums];',
    9: 'for my $k (1 .. length($str)) { return $k if substr($str, $k) . substr($str, 0, $k) eq $str; }',
    11: 'substr($s, index($s, $ch), 1) = "";\nsubstr($s, rindex($s, $ch), 1) = "";\nreturn $s;',
    14: 'return $l * $b * $h / 2;',
    17: 'return 4 * $a;',
    18: 'my %in = map { $_ => 1 } split(//, $second_string);\nreturn join("", grep { !$in{$_} } split(//, $string));',
    19: 'my %seen;\nfor (@$arraynums) { return 1 if $seen{$_}++; }\nreturn 0;',
  },
} as const satisfies Record<string, Readonly<Record<number, string>>>;

/** The body of a task's function, by its number; undefined for a task that is not among the twelve. */
export const bodyOf = (language: SolvedLanguage, number: number): string | undefined =>
  (mxevalBodies[language] as Readonly<Record<number, string>>)[number];
