import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STATE_WRITTEN_ONCE } from "./attachPlugins";

const root = join(__dirname, "../../..");

/** How a script ended, and all that it printed. */
export interface EndedScript {
  readonly code: number | null;
  readonly output: string;
}

/**
 * A local environment in folders of its own, and what `npm run local` and `npm run local:down` run in it once the
 * checkout is installed and built.
 */
export class LocalRuns {
  /** Where the environment is kept. */
  readonly folder: string;
  /** Where what it starts keeps temporary files: other tests have some too. */
  readonly temporary = mkdtempSync(join(tmpdir(), "local-command-"));
  private readonly parent: string;

  constructor() {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    this.parent = mkdtempSync(join(root, ".cache/test/local-"));
    this.folder = join(this.parent, "local");
  }

  /** Starts a script, such as `local`. `until` waits for a text in its output, and throws if the script ends before. */
  start(script: string, ...args: string[]) {
    const child = spawn(process.execPath, [join(root, `dist/scripts/${script}.js`), ...args], {
      env: {
        ...process.env,
        ...STATE_WRITTEN_ONCE,
        TALOS_AWS_LOCAL_DIR: this.folder,
        TMPDIR: this.temporary,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const until = async (text: string) => {
      while (!output.includes(text)) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, 20)), failOnExit(exit)]);
      }
    };
    return { child, exit, until, output: () => output };
  }

  async finish(script: string, ...args: string[]): Promise<EndedScript> {
    const { exit, output } = this.start(script, ...args);
    const code = await exit;
    return { code, output: output() };
  }

  /** The processes that were started for the environment: it is in the variables they inherited. */
  processes(): string[] {
    const all = execFileSync("ps", ["axeww", "-o", "command="], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return all.split("\n").filter((command) => command.includes(this.folder));
  }

  async close(): Promise<void> {
    await this.finish("localDown");
    rmSync(this.parent, { recursive: true, force: true });
    rmSync(this.temporary, { recursive: true, force: true });
  }
}

async function failOnExit(exit: Promise<number | null>): Promise<never> {
  throw new Error(`it ended with exit code ${(await exit) ?? "none"} before that`);
}
