import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FORKS_VARIABLE } from "../../emulator/aws/motoServer";
import { paths } from "../paths";

/** A process that has loaded moto, and forks one for each emulated cloud of a test. */
export interface MotoForks {
  /** Has emulators use it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/**
 * Starts a process that forks emulated clouds. The suites make some 200, and each would spend a second on
 * loading moto. The process ends when this one does, whatever ends it.
 *
 * @param python one that has moto installed
 * @throws Error when it ends before it serves; it has said why on standard error
 */
export async function startMotoForks(python: string): Promise<MotoForks> {
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-forks-"));
  const socket = join(folder, "socket");
  const child = spawn(
    python,
    [join(paths.root, "emulator/aws/moto/motoForks.py"), "serve", socket],
    // An interrupt of the terminal is for who started this: it closes the pipe when it has cleaned up.
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "close").then(() => Promise.reject(new Error("moto ended before it served"))),
  ]);
  return {
    environment: { [FORKS_VARIABLE]: socket },
    close: () => {
      child.stdin.end();
      remove();
    },
  };
}
