import { labRefusal } from "../../../scripts/testing/labRefusal";
import { runCommand } from "./runCommand";

/** Real Talos nodes on this computer, started by the program that TALOS_LAB names. */
export class TalosLab {
  constructor(private readonly command: string) {}

  /** The patch that every machine configuration needs there. Raises an `Error` where the lab fails. */
  async patch(): Promise<Record<string, never>> {
    return (await this.settings()).patch;
  }

  /** The talosctl of its release. From nothing, it is built first. Raises an `Error` where the lab fails. */
  async talosctl(): Promise<string> {
    await this.build();
    return (await this.settings()).talosctl;
  }

  /** Starts nodes, given as `name:octet`; their addresses, in maintenance mode. Waits for another lab to end. */
  async up(nodes: readonly string[]): Promise<string[]> {
    await this.build();
    const lines = (await this.run(["up", ...nodes])).trim().split("\n");
    return lines
      .filter((line) => line.startsWith("{"))
      .map((line) => (JSON.parse(line) as { address: string }).address);
  }

  /** Cuts a node's power; its disk stays. */
  async stop(name: string): Promise<void> {
    await this.run(["stop", name]);
  }

  /** Switches a node on again, and waits until it answers. */
  async start(name: string): Promise<void> {
    await this.run(["start", name]);
  }

  /** Takes a node away with its disk: the next of that name is another machine. */
  async wipe(name: string): Promise<void> {
    await this.run(["wipe", name]);
  }

  /** What a node has written on its console so far. */
  console(name: string): Promise<string> {
    return this.run(["console", name, "-n", "4000"]);
  }

  /** Ends every node. */
  async down(): Promise<void> {
    await this.run(["down"]);
  }

  /** From nothing, two busy processors take most of this time; once it is built, none. */
  private async build(): Promise<void> {
    await this.run(["build"], 15 * 60_000);
  }

  private async settings() {
    return JSON.parse(await this.run(["config"])) as {
      patch: Record<string, never>;
      talosctl: string;
    };
  }

  private async run(args: readonly string[], timeoutMs = 180_000): Promise<string> {
    const anotherRuns = 3;
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const { code, output } = await runCommand(this.command, args, {
        cwd: process.cwd(),
        environment: { TALOS_LAB_OWNER: `${process.pid}` },
        timeoutMs,
      });
      if (code === 0) {
        return output;
      }
      if (code !== anotherRuns || Date.now() > deadline) {
        throw new Error(`talos-lab ${args.join(" ")} ended with ${code}: ${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }
  }
}

/** Tests with real nodes. Skipped, and counted as that, where TALOS_LAB is not set or its `check` says no. */
export function describeWithTalosLab(title: string, tests: (lab: TalosLab) => void): void {
  const command = process.env.TALOS_LAB ?? "";
  const reason = reasonAgainst(command);
  if (reason !== undefined) {
    console.warn(`skipped: ${title}: ${reason}`);
  }
  (reason === undefined ? describe : describe.skip)(title, () => {
    tests(new TalosLab(command));
  });
}

function reasonAgainst(command: string): string | undefined {
  if (command === "") {
    return "there are no real nodes; set TALOS_LAB to a talos-lab that starts them";
  }
  return labRefusal("TALOS_LAB", command);
}
