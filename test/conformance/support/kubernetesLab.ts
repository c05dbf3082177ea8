import { labRefusal } from "../../../scripts/testing/labRefusal";
import { runCommand } from "./runCommand";

/** What a machine's configuration needs in the lab, and the images of the releases that it serves. */
export interface KubernetesLabSettings {
  readonly patches: Readonly<Record<"controlplane" | "worker", Record<string, never>>>;
  /** The same as documents, for configurations of contract v1.14. */
  readonly documents: Readonly<Record<"controlplane" | "worker", readonly object[]>>;
  readonly images: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The address of this computer that nodes reach. */
  readonly host: string;
  /** Programs of these releases. */
  readonly talosctl: string;
  readonly kubectl: string;
}

/** A node, as the lab sees it. */
export interface LabNode {
  readonly name: string;
  readonly address: string;
  readonly state: "maintenance" | "configured" | "starting" | "stopped";
  /** How often it has started. */
  readonly boots: number;
}

/** Real Kubernetes on real Talos nodes on this computer, started by the program that KUBERNETES_LAB names. */
export class KubernetesLab {
  /** @param owner the process whose end makes the lab count as abandoned; empty for none. Default: this one */
  constructor(
    readonly command: string,
    private readonly owner = `${process.pid}`,
  ) {}

  async settings(): Promise<KubernetesLabSettings> {
    return JSON.parse(await this.run(["config"])) as KubernetesLabSettings;
  }

  /** Starts nodes, given as `name:octet`, in maintenance mode. */
  async up(nodes: readonly string[]): Promise<void> {
    await this.run(["up", ...nodes]);
  }

  /** Cuts a node's power; its disk stays. */
  async stop(name: string): Promise<void> {
    await this.run(["stop", name]);
  }

  /** Gives a node its power back. */
  async start(name: string): Promise<void> {
    await this.run(["start", name]);
  }

  /** Takes a node away with its disk: the next of that name is another machine. */
  async wipe(name: string): Promise<void> {
    await this.run(["wipe", name]);
  }

  /** All nodes. */
  async nodes(): Promise<LabNode[]> {
    const lines = (await this.run(["status"])).split("\n");
    return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as LabNode] : []));
  }

  /** Ends every node. */
  async down(): Promise<void> {
    await this.run(["down"]);
  }

  private async run(args: readonly string[]): Promise<string> {
    const { code, output } = await runCommand(this.command, args, {
      cwd: process.cwd(),
      environment: { KUBERNETES_LAB_OWNER: this.owner, KUBERNETES_LAB_TIMEOUT: "240" },
      timeoutMs: 600_000,
    });
    if (code !== 0) {
      throw new Error(`kubernetes-lab ${args.join(" ")} ended with ${code}: ${output}`);
    }
    return output;
  }
}

/** Tests with a real cluster. Skipped, and counted as that, where KUBERNETES_LAB is not set or its `check` says no. */
export function describeWithKubernetesLab(
  title: string,
  tests: (lab: KubernetesLab) => void,
): void {
  const command = process.env.KUBERNETES_LAB ?? "";
  const reason = reasonAgainst(command);
  if (reason !== undefined) {
    console.warn(`skipped: ${title}: ${reason}`);
  }
  (reason === undefined ? describe : describe.skip)(title, () => {
    tests(new KubernetesLab(command));
  });
}

/** Why there is no lab; undefined if there is one. */
export function reasonAgainst(command: string): string | undefined {
  if (command === "") {
    return "there is no real Kubernetes; set KUBERNETES_LAB to a kubernetes-lab that starts it";
  }
  return labRefusal("KUBERNETES_LAB", command);
}
