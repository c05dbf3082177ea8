import { homedir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { mergeTalosconfig } from "../configFiles/mergeTalosconfig";
import { removeTalosconfig } from "../configFiles/removeTalosconfig";
import { stackCommand } from "../stackCommand";
import { addConfigOptions, type ConfigKind, type ConfigOptions, writeConfig } from "./writeConfig";

/** What `talosctl` reads. */
export const talosconfigKind: ConfigKind = {
  name: "talosconfig",
  program: "talosctl",
  defaultFile: () => {
    const { TALOSCONFIG = "" } = process.env;
    return TALOSCONFIG === "" ? join(homedir(), ".talos/config") : TALOSCONFIG;
  },
  merge: mergeTalosconfig,
  remove: removeTalosconfig,
};

/** `talos-aws talosconfig`. */
export function talosconfigCommand(): Command {
  const command = stackCommand("talosconfig", "puts a cluster into the file that talosctl reads");
  return addConfigOptions(command, talosconfigKind, "$TALOSCONFIG, else ~/.talos/config").action(
    (stack: string, options: ConfigOptions) => writeConfig(talosconfigKind, stack, options),
  );
}
