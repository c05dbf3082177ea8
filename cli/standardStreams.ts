import { type Terminal, terminalOf } from "./terminal";

/** The process' output: what was asked for. */
export const output = {
  write: (text: string): void => {
    process.stdout.write(text);
  },
  line: (text: string): void => {
    process.stdout.write(`${text}\n`);
  },
  get terminal(): Terminal {
    return terminalOf(process.stdout, process.env);
  },
};

/** What is said about the work, which must not end up in what was asked for. */
export const notes = {
  line: (text: string): void => {
    process.stderr.write(`${text}\n`);
  },
  get terminal(): Terminal {
    return terminalOf(process.stderr, process.env);
  },
};
