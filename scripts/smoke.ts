import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { messageOfError } from "../provider/base/messageOfError";
import { ensurePulumi } from "./ensurePulumi";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";
import { runSmoke } from "./smoke/runSmoke";
import { smokeCase } from "./smoke/smokeCase";
import { smokeReport } from "./smoke/smokeReport";
import { SMOKE_STEPS } from "./smoke/smokeSteps";
import { openSmokeWorld } from "./smoke/smokeWorld";

const USAGE =
  "usage: npm run smoke -- sandbox --yes [--settings <file>] [--report <file>] [--state-dir <folder>]";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** `npm run smoke -- sandbox`: tries the sandbox on the account of this environment. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      yes: { type: "boolean", default: false },
      settings: { type: "string" },
      report: { type: "string", default: "smoke-report.md" },
      "state-dir": { type: "string", default: join(paths.root, ".smoke") },
    },
  });
  const [stack] = positionals;
  if (stack === undefined) {
    throw new Error(USAGE);
  }
  const file = values.settings ?? join(paths.environments, `Pulumi.${stack}.yaml`);
  const chosen = smokeCase(stack, await readFile(file, "utf8"));
  if (!values.yes) {
    throw new Error(
      `the smoke test makes the cluster "${chosen.cluster}" in ${chosen.region}, changes it and destroys it: about 30 minutes, under $1. Say --yes to begin\n${USAGE}`,
    );
  }
  const stateDir = join(values["state-dir"], stack);
  if (existsSync(stateDir)) {
    throw new Error(
      `"${stateDir}" has the state of a smoke test that didn't end well: look what is left, destroy it, and remove that folder`,
    );
  }
  const world = await openSmokeWorld({
    case: chosen,
    engine: await runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log)),
    talosctl:
      process.env.TALOSCTL ??
      (await runStep("talosctl", say, (log) => ensureTalosctl(paths.cache, log))),
    stateDir,
  });
  const there = await world.leftovers();
  if (there.length > 0) {
    throw new Error(
      `the account has things of a cluster "${chosen.cluster}" already: ${there.join(", ")}; destroy that first, or set another "talos-aws:environment"`,
    );
  }
  ignoreLostEngines();
  const results = await runSmoke(world, { steps: SMOKE_STEPS, say });
  const report = smokeReport({ ...chosen, at: new Date() }, results);
  await mkdir(dirname(values.report), { recursive: true });
  await writeFile(values.report, report);
  say(`The report is in ${values.report}.`);
  if (results.at(-1)?.outcome === "ok") {
    await rm(stateDir, { recursive: true, force: true });
  }
  process.exitCode = results.every(({ outcome }) => outcome === "ok") ? 0 : 1;
}

/** Calls of the SDK to a killed engine fail without a handler. */
function ignoreLostEngines(): void {
  process.on("unhandledRejection", (reason) => {
    const message = messageOfError(reason);
    if (!/Resource monitor is terminating|UNAVAILABLE|ECONNREFUSED|ECONNRESET/.test(message)) {
      throw reason;
    }
  });
}

runMain(main);
