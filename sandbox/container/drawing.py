"""
The module `random`, so that every program draws the same numbers, in every lane. As it comes it draws a new seed from the system after each fork, and that writes
to pages that a program would otherwise share with the first process. A program's own forks do so as ever.
"""
import functools
import os

# Imported here, before anything else imports it.
_register, os.register_at_fork = os.register_at_fork, lambda **_functions: None
import random  # noqa: E402
os.register_at_fork = _register

restart = functools.partial(random.seed, 0)


def seed_after_forks():
    _register(after_in_child=random._inst.seed)
