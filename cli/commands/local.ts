import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { packageFolder } from "../../provider/base";
import { CommandFailure } from "../commandFailure";

export function localCommand(): Command {
  return new Command("local")
    .summary("brings up a whole cluster on this computer, in a checkout")
    .description(
      "Brings up a whole cluster on this computer, on the embedded cloud, upgrades one, or stops it. This needs a checkout of the package's repository.",
    )
    .addArgument(
      new Argument("[action]", "what to do").choices(["up", "upgrade", "down"]).default("up"),
    )
    .action(local);
}

const SCRIPTS = { up: ["local"], upgrade: ["local", "upgrade"], down: ["localDown"] } as const;

async function local(action: keyof typeof SCRIPTS): Promise<void> {
  const root = packageFolder();
  const script = join(root, "scripts/run.mjs");
  if (!existsSync(script)) {
    throw new CommandFailure(
      `the local environment needs a checkout, but "${root}" is an installed package: run "npm run local" in a checkout`,
    );
  }
  const child = spawn(process.execPath, [script, ...SCRIPTS[action]], {
    stdio: "inherit",
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on("SIGINT", pass).on("SIGTERM", pass);
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
