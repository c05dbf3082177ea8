#!/usr/bin/env node
import { run } from "./run";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as `head` has closed the pipe.
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
