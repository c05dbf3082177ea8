import { spawn } from "node:child_process";

/** A call that takes longer has failed. The pull of an image takes minutes on a slow line. */
const CALL_TIMEOUT_MS = 1_200_000;

/** What is wrong with Docker on this computer, by what its command prints. */
const KNOWN_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [
    /permission denied/i,
    'this user may not use Docker: add it to the group "docker" and log in again',
  ],
  [
    /cannot connect to the docker daemon|is the docker daemon running/i,
    "no Docker engine answers: start it, for example with `sudo systemctl start docker`",
  ],
];

/** Docker refused a call, or there is no Docker. The message says what to do. */
export class DockerError extends Error {
  override readonly name = "DockerError";
}

/**
 * Runs the command `docker`, which finds its engine by DOCKER_HOST or its context.
 *
 * @param secrets environment variables for the call. Arguments are visible to other users, and these aren't
 * @returns both of its outputs: containers may print to either
 * @throws DockerError with the reason
 */
export async function runDocker(
  args: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<{ readonly output: string; readonly errors: string }> {
  const child = spawn("docker", args, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: CALL_TIMEOUT_MS,
    env: { ...process.env, ...secrets },
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once("error", () =>
      resolve("there is no program `docker` on PATH: install Docker Engine"),
    );
    child.once("close", (code, signal) =>
      resolve(
        code === 0
          ? undefined
          : explain(args, textOf(errors).trim() || `it ended with ${signal ?? String(code)}`),
      ),
    );
  });
  if (failure !== undefined) {
    throw new DockerError(failure);
  }
  return { output: textOf(output), errors: textOf(errors) };
}

function explain([call = "", subject = ""]: readonly string[], complaint: string): string {
  const [, known] = KNOWN_PROBLEMS.find(([pattern]) => pattern.test(complaint)) ?? [];
  return known ?? `\`docker ${call} ${subject}\` failed: ${complaint}`;
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
