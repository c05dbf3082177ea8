import { issueClientCredentials } from "../../../provider/pki/clientCredentials";
import { renderTalosconfig } from "../../../provider/pki/renderTalosconfig";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import type { CommandResult } from "../support/runCommand";
import type { Talosctl } from "../support/talosctl";
import { normalise, type SessionNodes } from "./normalise";
import type { SessionStep } from "./sessionStep";

const roles = ["admin", "reader", "operator", "etcd:backup"] as const;
const stepTimeoutMs = 60_000;
/** How long simulated nodes may take for what is repeated until it is so. */
const defaultPatienceMs = 30_000;
const pauseMs = 200;

/** A session of the real talosctl with one cluster. */
export class TalosctlSession {
  private constructor(
    private readonly talosctl: Talosctl,
    private readonly nodes: SessionNodes,
    private readonly talos: string,
    private readonly patienceMs: number,
  ) {}

  /** Writes a talosconfig for each role; `endpoints` are letters of nodes. */
  static async start(
    talosctl: Talosctl,
    nodes: SessionNodes,
    cluster: { readonly secrets: SecretsBundle; readonly talosVersion: string },
    endpoints: readonly string[],
    patienceMs = defaultPatienceMs,
  ): Promise<TalosctlSession> {
    for (const role of roles) {
      const credentials = await issueClientCredentials(cluster.secrets.certs.os, {
        roles: [`os:${role}`],
        now: new Date(Date.now() - 60_000),
        lifetimeHours: 1,
      });
      const text = renderTalosconfig({
        clusterName: "session",
        endpoints: endpoints.map((letter) => nodes[letter]?.[0] ?? ""),
        nodes: [],
        credentials,
      });
      talosctl.write(configOf(role), text);
    }
    return new TalosctlSession(talosctl, nodes, cluster.talosVersion, patienceMs);
  }

  /** Runs a step as it says; its output is normalised. */
  async run(step: SessionStep): Promise<CommandResult> {
    const deadline = Date.now() + this.patienceMs;
    for (;;) {
      const result = await this.runOnce(step);
      if (step.until !== true || isAsExpected(step, result) || Date.now() > deadline) {
        return result;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  private async runOnce({ command, as, endsAfterMs }: SessionStep): Promise<CommandResult> {
    const { code, output } = await this.talosctl.start(this.argumentsOf(command), {
      environment: { TALOSCONFIG: configOf(as ?? "admin"), EDITOR: "sed -i s/262144/262145/" },
      timeoutMs: endsAfterMs ?? stepTimeoutMs,
    });
    return { code, output: normalise(output, this.nodes, this.talos) };
  }

  private argumentsOf(command: string): string[] {
    const words = command.match(/'[^']*'|\S+/g) ?? [];
    return words.map((word) =>
      word
        .replace(/^'(.*)'$/, "$1")
        .replace(/<([a-z])>/g, (name, letter: string) => this.nodes[letter]?.[0] ?? name),
    );
  }
}

/** What is wrong with a step's outcome: how it ended and all it printed; nothing if it is as expected. */
export function complaintsOf(step: SessionStep, result: CommandResult): string[] {
  if (isAsExpected(step, result)) {
    return [];
  }
  return [
    `ended with ${result.code}, expected ${step.expect.join(" ")}`,
    ...result.output.split("\n"),
  ];
}

/** Whether a step's outcome is what it says. */
function isAsExpected(step: SessionStep, { code, output }: CommandResult): boolean {
  const isCode = step.endsAfterMs === undefined ? (code === 0) === (step.fails !== true) : true;
  return isCode && step.expect.every((pattern) => pattern.test(output));
}

function configOf(role: (typeof roles)[number]): string {
  return `${role.replace(":", "-")}.talosconfig`;
}
