import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CommandResult, runCommand, starts } from "./runCommand";

const execute = promisify(execFile);

/**
 * The real talosctl, in a temporary folder of its own: it finds its files there by name, and is away
 * from the talosconfig of whoever runs the tests.
 */
export class Talosctl {
  private made: string | undefined;

  constructor(private readonly command: string) {}

  /** Made when it is first asked for. */
  get folder(): string {
    this.made ??= mkdtempSync(join(tmpdir(), "talosctl-test-"));
    return this.made;
  }

  /**
   * What it prints.
   *
   * @throws Error when it fails
   */
  async run(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, ...this.environment() };
    const { stdout } = await execute(this.command, args, { cwd: this.folder, env });
    return stdout;
  }

  /** Whether it does as it is told. */
  async accepts(...args: readonly string[]): Promise<boolean> {
    return (await this.refusalOf(...args)) === undefined;
  }

  /** What it says when it refuses; undefined when it does as it is told. */
  async refusalOf(...args: readonly string[]): Promise<string | undefined> {
    try {
      await this.run(...args);
      return undefined;
    } catch (error) {
      return error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    }
  }

  /** Runs it beside this program, which may serve it. See `runCommand`. */
  start(
    args: readonly string[],
    options: {
      readonly environment?: Readonly<Record<string, string>>;
      readonly timeoutMs?: number;
    } = {},
  ): Promise<CommandResult> {
    return runCommand(this.command, args, {
      cwd: this.folder,
      environment: this.environment(options.environment),
      timeoutMs: options.timeoutMs,
    });
  }

  read(...path: readonly string[]): string {
    return readFileSync(join(this.folder, ...path), "utf8");
  }

  /** Writes a file that only its owner reads; returns its name, which a command takes. */
  write(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text, { mode: 0o600 });
    return name;
  }

  /** Removes the folder. */
  dispose(): void {
    if (this.made !== undefined) {
      rmSync(this.made, { recursive: true, force: true });
    }
  }

  private environment(own: Readonly<Record<string, string>> = {}) {
    return { HOME: this.folder, TALOSCONFIG: join(this.folder, "none"), ...own };
  }
}

/** The real talosctl: that in TALOSCTL, where `npm test` puts one, or on PATH. */
export const talosctlCommand = process.env.TALOSCTL ?? "talosctl";

const isThere = starts(talosctlCommand, ["version", "--client", "--short"]);

/**
 * Tests with the real talosctl. Skipped, and counted as that, where there is none and it can't be
 * built.
 */
export function describeWithTalosctl(title: string, tests: (talosctl: Talosctl) => void): void {
  if (!isThere) {
    console.warn(
      `skipped: ${title}: there is no talosctl on PATH; install talosctl v1.12.1, or Go so that npm test can build it, or set TALOSCTL to it`,
    );
  }
  (isThere ? describe : describe.skip)(title, () => {
    const talosctl = new Talosctl(talosctlCommand);
    afterAll(() => {
      talosctl.dispose();
    });
    tests(talosctl);
  });
}
