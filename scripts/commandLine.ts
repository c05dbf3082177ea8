import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { findDaemon } from "../emulator/daemon";
import { ensurePulumi } from "./ensurePulumi";
import { serverHost } from "./kubeconfigAccess";
import { local } from "./localEnvironment";
import { fileBackendUrl, quickNodeOptions } from "./openStack";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";

const USAGE = "usage: npm run <command> -- <environment> [options]";

const note = (line: string) => {
  process.stderr.write(`${line}\n`);
};

/** `npm run kubeconfig -- <environment>` and its like: `talos-aws` on an environment of this checkout. */
async function main(): Promise<void> {
  const [command, stack, ...options] = process.argv.slice(2);
  if (command === undefined || stack === undefined) {
    throw new Error(USAGE);
  }
  const isHelp = stack.startsWith("-");
  const engine = await runStep("pulumi", note, (log) => ensurePulumi(paths.cache, log));
  const { environment, cwd, more } =
    stack === "local" && command !== "plan" ? await ofLocal(command) : ofEnvironment(isHelp);
  const path = [dirname(engine.command), paths.pulumiSdk, process.env.PATH ?? ""];
  // This process runs the program of a preview without an account, so that only plugins get the options.
  const quick = options.includes("--offline") && { NODE_OPTIONS: quickNodeOptions() };
  Object.assign(process.env, environment, { PATH: path.join(delimiter), ...quick });
  const folder = cwd === undefined ? [] : ["--cwd", cwd];
  process.argv.splice(2, Infinity, command, stack, ...more, ...options, ...folder);
  // In this process, which has loaded Pulumi's SDK.
  await import("../cli/main.js");
}

function ofEnvironment(isHelp: boolean) {
  return { environment: {}, cwd: isHelp ? undefined : paths.environments, more: [] };
}

/** The local environment has a state, a cloud and a DNS of its own. */
async function ofLocal(command: string) {
  if (["up", "preview", "repair", "destroy"].includes(command)) {
    throw new Error(
      `the local environment is brought up, and repaired, by "npm run local", which shows a preview first, and ended by "npm run local:down"`,
    );
  }
  const cloud = await findDaemon(local.cloudDir);
  const kubeconfig = await readFile(local.kubeconfig, "utf8").catch(() => undefined);
  if (cloud === undefined || kubeconfig === undefined) {
    throw new Error(`the local environment doesn't run: bring it up with "npm run local"`);
  }
  const environment = {
    ...cloud.environment,
    PULUMI_BACKEND_URL: fileBackendUrl(join(local.stackDir, "backend")),
    PULUMI_CONFIG_PASSPHRASE_FILE: join(local.stackDir, "passphrase"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const more = command === "kubeconfig" ? ["--server-address", serverHost(kubeconfig)] : [];
  return { environment, cwd: join(local.stackDir, "project"), more };
}

runMain(main);
