"""What the kernel counts for the slot as a whole: CPU time of all its processes, and whether one of them was ended for want of memory."""
import os

# cgroup version 2 at a container's root, then version 1.
KILLS = ('/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control')
USAGE = (('/sys/fs/cgroup/cpu.stat', 1e3), ('/sys/fs/cgroup/cpuacct/cpuacct.usage', 1e6))
TICKS = os.sysconf('SC_CLK_TCK')


class Group:
    def __init__(self):
        self.kills_path = next((path for path in KILLS if os.path.exists(path)), None)
        self.usage_path, self.per_ms = next((each for each in USAGE if os.path.exists(each[0])), (None, 1))
        # Kept open: it is read for each program that takes longer than one look.
        self.usage_fd = None if self.usage_path is None else os.open(self.usage_path, os.O_RDONLY | os.O_CLOEXEC)
        self.seen = self.kills()

    def kills(self):
        if self.kills_path is None:
            return 0
        with open(self.kills_path) as file:
            return sum(int(line.split()[1]) for line in file if line.startswith('oom_kill '))

    def ran_out(self):
        """True once per time that it happened."""
        before, self.seen = self.seen, self.kills()
        return self.seen > before

    def cpu_ms(self):
        """Of all processes; without a control group, of those that are there."""
        if self.usage_fd is None:
            return sum(process_ms(name) for name in os.listdir('/proc') if name.isdigit() and name != '1')
        return int(os.pread(self.usage_fd, 256, 0).partition(b'\n')[0].split()[-1]) / self.per_ms


def process_ms(pid):
    """Of a process and of the children that it has waited for."""
    try:
        with open(f'/proc/{pid}/stat') as file:
            fields = file.read().rpartition(')')[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * 1000 / TICKS
