# Runs a Pulumi program in Python: run.py <monitor> <engine> <project> <stack> <parallel> <dry run> <program>.
# Pulumi's CLI has such a script of its own, which is not in its package for Python.
import asyncio
import runpy
import sys

import pulumi.runtime

monitor, engine, project, stack, parallel, dry_run, program = sys.argv[1:]
pulumi.runtime.configure(
    pulumi.runtime.Settings(
        monitor=monitor,
        engine=engine,
        project=project,
        stack=stack,
        parallel=int(parallel),
        dry_run=dry_run == "true",
    )
)
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(
    pulumi.runtime.run_in_stack(lambda: runpy.run_path(program, run_name="__main__"))
)
