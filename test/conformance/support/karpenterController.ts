import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Karpenter's controller is started with. */
export interface ControllerStart {
  /** The program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The API server. */
  readonly server: string;
  /** The cluster's certificate authority, in base64. */
  readonly certificateAuthority: string;
  /** The token of its service account. */
  readonly token: string;
  /** Where AWS is. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Karpenter's own controller, a process of this computer. */
export class KarpenterController {
  private said = "";
  private readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    const hear = (chunk: Buffer) => {
      this.said += chunk.toString();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        this.said += String(error);
        resolve();
      });
      child.once("close", () => {
        resolve();
      });
    });
  }

  /** Starts it as its pod does, with the rights of its service account alone. */
  static async start(start: ControllerStart): Promise<KarpenterController> {
    const folder = await mkdtemp(join(tmpdir(), "talos-aws-karpenter-"));
    const kubeconfig = join(folder, "kubeconfig");
    const named = (kind: string, value: object) => [{ name: "lab", [kind]: value }];
    await writeFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: named("cluster", {
          server: start.server,
          "certificate-authority-data": start.certificateAuthority,
        }),
        users: named("user", { token: start.token }),
        contexts: named("context", { cluster: "lab", user: "lab" }),
        "current-context": "lab",
      }),
      { mode: 0o600 },
    );
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: folder, KUBECONFIG: kubeconfig, ...start.environment };
    return new KarpenterController(spawn(start.command, start.args, { env }), folder);
  }

  /** Its log: a line of JSON for each entry. */
  get log(): string {
    return this.said;
  }

  async stop(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
