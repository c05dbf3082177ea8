import { homedir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { mergeTalosconfig } from "../configFiles/mergeTalosconfig";
import { removeTalosconfig } from "../configFiles/removeTalosconfig";
import { stackCommand } from "../stackCommand";
import { addConfigOptions, type ConfigKind, type ConfigOptions, writeConfig } from "./writeConfig";

const talosconfigKind: ConfigKind = {
  name: "talosconfig",
  program: "talosctl",
  defaultFile: () => {
    const { TALOSCONFIG = "" } = process.env;
    return TALOSCONFIG === "" ? join(homedir(), ".talos/config") : TALOSCONFIG;
  },
  merge: mergeTalosconfig,
  remove: removeTalosconfig,
};

export function talosconfigCommand(): Command {
  const command = stackCommand("talosconfig", "adds a cluster to talosctl's file");
  return addConfigOptions(command, talosconfigKind, "$TALOSCONFIG, else ~/.talos/config").action(
    (stack: string, options: ConfigOptions) => writeConfig(talosconfigKind, stack, options),
  );
}
