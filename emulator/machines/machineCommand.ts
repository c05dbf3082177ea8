import { spawn } from "node:child_process";

/** Calls of the protocol; README.md of the emulator has what each gets and answers. */
export type MachineCall = "start" | "stop" | "wipe" | "console" | "list";

/** A call that takes longer has failed, and its program is killed. */
const CALL_TIMEOUT_MS = 600_000;

/** What a program says before it ends, at most. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Calls a program that runs machines: one process for each call, with JSON on its standard input and output.
 *
 * @param command the program and its first arguments; the call's name is the last one
 * @throws Error with what the program printed as errors, if it ends with another code than 0 or answers no JSON object
 */
export async function callMachineCommand(
  command: readonly string[],
  call: MachineCall,
  input: object,
): Promise<ReadonlyMap<string, unknown>> {
  const [program = "", ...args] = command;
  const name = `${[program, ...args].join(" ")} ${call}`;
  const child = spawn(program, [...args, call], {
    stdio: ["pipe", "pipe", "pipe"],
    timeout: CALL_TIMEOUT_MS,
    killSignal: "SIGKILL",
    env: { ...process.env, TALOS_EMULATOR_PID: String(process.pid) },
  });
  const output = collect(child.stdout, () => child.kill("SIGKILL"));
  const complaint = collect(child.stderr, () => undefined);
  // A program that doesn't read its input closes it early.
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(input));
  const ended = await new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(`didn't start: ${error.message}`));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code ?? ""}`}`),
    );
  });
  if (ended !== undefined) {
    throw new Error(`"${name}" ${ended}${suffix(complaint())}`);
  }
  return parseAnswer(output(), name);
}

function collect(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      onTooMuch();
    } else {
      chunks.push(chunk);
    }
  });
  return () => Buffer.concat(chunks).toString("utf8").trim();
}

function parseAnswer(output: string, name: string): ReadonlyMap<string, unknown> {
  try {
    const answer: unknown = JSON.parse(output === "" ? "{}" : output);
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
      return new Map(Object.entries(answer));
    }
  } catch {
    // Said below, without the answer: it may hold what a machine printed.
  }
  throw new Error(`"${name}" must print one JSON object`);
}

function suffix(complaint: string): string {
  return complaint === "" ? "" : `: ${complaint.slice(-1_000)}`;
}
