/**
 * Programs in other languages that try to get out, to stay, or to take the slot with them. Their tests run next to
 * them, so a pass can be forged there and rows say so (lane `assert`): what is held is that nothing is read, nothing
 * is left, and the next program is judged rightly.
 */
import type { ProgramLanguage } from '../../../schemas/program.ts';

type Language = Exclude<ProgramLanguage, 'python'>;

const javascript = {
  'leaves a detached child':
    "require('child_process').spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref(); " +
    'function add() { return 9 }',
  'kills everything that it can':
    'function add() { for (const pid of [1, -1, process.ppid]) try { process.kill(pid, 9) } catch {} return 9 }',
  'never lets go': "process.on('exit', () => { for (;;); }); function add() { return 9 }",
  'waits in a worker':
    "new (require('worker_threads').Worker)('for (;;);', { eval: true }); function add() { return 9 }",
  'patches the judge':
    "require('lodash').isEqual = () => true; require('assert').ok = () => {}; function add() { return 9 }",
  'reads the first process':
    "const fs = require('fs'); function add() { return [fs.readFileSync('/proc/1/environ', 'utf8'), " +
    "fs.readdirSync('/proc/1/fd')] }",
  'leaves files':
    "const fs = require('fs'); for (let n = 0; n < 2000; n++) fs.writeFileSync('/tmp/x' + n, 'x'); " +
    "fs.chmodSync('/tmp', 0); function add() { return 9 }",
  'writes to every descriptor':
    "const fs = require('fs'); for (let fd = 0; fd < 64; fd++) try { fs.writeSync(fd, 'vtrue') } catch {} ; " +
    'process.abort(); function add() { return 9 }',
};
const php = {
  'never lets go': 'register_shutdown_function(function () { while (true); }); function add($a, $b) { return 9; }',
  'leaves a child': 'function add($a, $b) { exec("sleep 1000 > /dev/null 2>&1 &"); return 9; }',
  'reads the first process': 'function add($a, $b) { return file_get_contents("/proc/1/environ"); }',
  'leaves links':
    '@symlink("/", "/tmp/root"); @link("/proc/self/exe", "/tmp/exe"); mkdir("/tmp/a/b/c", 0, true); function ' +
    'add($a, $b) { return 9; }',
  'answers through a handler of errors':
    'set_exception_handler(function () { exit(0); }); function add($a, $b) { throw new Error(); }',
  'sends signals': 'function add($a, $b) { @exec("kill -9 -1; kill -15 1"); return 9; }',
};
const ruby = {
  'never lets go': 'at_exit { loop {} }\ndef add(a, b)\n  9\nend',
  'leaves a daemon': 'fork { Process.setsid; fork { sleep 1000 } }\ndef add(a, b)\n  9\nend',
  'kills everything that it can':
    'def add(a, b)\n  [1, -1, Process.ppid].each { |pid| Process.kill(:KILL, pid) rescue nil }\n  9\nend',
  'traps every signal and loops': 'Signal.list.each_key { |s| trap(s) {} rescue nil }\nloop {}',
  'reads the first process': 'def add(a, b)\n  File.read("/proc/1/environ")\nend',
  'makes numbers equal': 'class Integer\n  def ==(o) = true\n  def !=(o) = false\nend\ndef add(a, b)\n  9\nend',
  'leaves through the back': 'def add(a, b)\n  Process.exit!(0)\nend',
};
const perl = {
  'never lets go': 'END { while (1) {} } sub add { 9 }',
  'leaves through the back': 'use POSIX; sub add { POSIX::_exit(0) }',
  'becomes another program': 'sub add { exec "/bin/true" }',
  'leaves a child that ignores signals':
    'if (!fork) { $SIG{$_} = "IGNORE" for keys %SIG; sleep 1000 while 1 } sub add { 9 }',
  'kills everything that it can': 'sub add { kill 9, 1, -1, getppid; 9 }',
  'reads the first process': 'sub add { open my $f, "<", "/proc/1/environ" or die; <$f> }',
  'makes calls of its own': 'sub add { syscall(101, 16, 1, 0, 0); syscall(165, 0, 0, 0, 0, 0); 9 }',
};
const cpp = {
  'ends before main':
    '#include <cstdlib>\nstruct Before { Before() { std::_Exit(0); } } before;\nint add(int, int) { return 9; }',
  'never lets go':
    'struct After { ~After() { for (volatile int i = 0;; i = i + 1); } } after;\nint add(int, int) { return 9; }',
  'takes a file of the host in': 'asm(".incbin \\"/etc/shadow\\"");\nint add(int, int) { return 9; }',
  'includes the environment': '#include "/proc/self/environ"\nint add(int, int) { return 9; }',
  'is a bomb of templates':
    'template <int N> struct T { using A = typename T<N + 1>::A; };\nT<0>::A x;\nint add(int, int) { return 9; }',
  'is a gigabyte of zeros and a one': 'char big[1 << 30] = {1};\nint add(int, int) { return big[5]; }',
  'leaves a child in a session of its own':
    '#include <unistd.h>\n' +
    'int add(int, int) { if (fork() == 0) { setsid(); if (fork() == 0) sleep(1000); _exit(0); } return 9; }',
  'handles its own crash':
    '#include <csignal>\n#include <unistd.h>\n' +
    'int add(int, int) { signal(SIGSEGV, [](int) { _exit(0); }); return *(volatile int *)8; }',
  'writes to every descriptor':
    '#include <unistd.h>\n' +
    'int add(int, int) { for (int fd = 0; fd < 64; fd++) (void)!write(fd, "vtrue", 5); _exit(0); }',
  'traces the first process':
    '#include <sys/ptrace.h>\nint add(int, int) { return ptrace(PTRACE_SEIZE, 1, 0, 0) == 0 ? 3 : 9; }',
};

export const hostileLanguages: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  javascript,
  php,
  ruby,
  perl,
  cpp,
};
