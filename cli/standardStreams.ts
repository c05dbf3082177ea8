import { withoutUserinfo } from "../provider/config";
import { type Terminal, terminalOf } from "./terminal";

/** Standard output: the requested result. */
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

/** Standard error: messages about the work, separate from the result. No address in them has a password. */
export const notes = {
  line: (text: string): void => {
    process.stderr.write(`${withoutUserinfo(text)}\n`);
  },
  get terminal(): Terminal {
    return terminalOf(process.stderr, process.env);
  },
};
