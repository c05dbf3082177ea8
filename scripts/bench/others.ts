import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { machineCount, machinePatch, sampleInput } from "./sample";
import { times, type Measurement, type Work } from "./work";

/** How often talosctl is started for each piece of work: enough to see what one start costs. */
const TALOSCTL_RUNS = 5;

/** What Talos' own code, of the folder with the oracles, takes for the same work in one process. */
export async function measureOracle(oracles: string, work: Work): Promise<Measurement> {
  const input = await sampleInput();
  const request = {
    do: "bench",
    work,
    times: times[work],
    generate: { ...input, secrets: stringify(input.secretsBundle) },
    config: encodeDocuments(generateMachineConfig(input)),
    patches: Array.from({ length: machineCount }, (_, index) => machinePatch(index)),
  };
  const output = execFileSync(join(oracles, "v1.12"), {
    input: `${JSON.stringify(request)}\n`,
    encoding: "utf8",
  });
  const { result, refused } = JSON.parse(output) as {
    readonly result?: Omit<Measurement, "times">;
    readonly refused?: string;
  };
  if (result === undefined) {
    throw new Error(`the oracle refused to be measured: ${refused ?? ""}`);
  }
  return { ...result, times: times[work] };
}

/** What talosctl takes for the same work, started anew each time as a script would. */
export async function measureTalosctl(talosctl: string, work: Work): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-bench-"));
  try {
    const run = (...args: readonly string[]) => {
      const env = { ...process.env, HOME: folder, TALOSCONFIG: join(folder, "none") };
      execFileSync(talosctl, args, { cwd: folder, env, stdio: "ignore" });
    };
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    };
    const input = await sampleInput();
    write("secrets.yaml", stringify(input.secretsBundle));
    write("base.yaml", encodeDocuments(generateMachineConfig(input)));
    const gen = ["gen", "config", input.clusterName, input.endpoint, "--force"];
    const plain = ["--with-secrets", "secrets.yaml", "--with-docs=false", "--with-examples=false"];
    const once: Readonly<Record<Work, (index: number) => void>> = {
      secrets: () => {
        run("gen", "secrets", "--force", "-o", "new-secrets.yaml");
      },
      generate: () => {
        run(...gen, ...plain, "--output-types", "controlplane", "-o", "new.yaml");
      },
      patch: (index) => {
        write("patch.yaml", machinePatch(index));
        run("machineconfig", "patch", "base.yaml", "--patch", "@patch.yaml", "-o", "out.yaml");
        run("validate", "--mode", "cloud", "--config", "out.yaml");
      },
    };
    const start = process.hrtime.bigint();
    for (let index = 0; index < TALOSCTL_RUNS; index++) {
      once[work](index);
    }
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    return { times: TALOSCTL_RUNS, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
