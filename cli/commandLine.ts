import { Command } from "commander";
import { packageVersion } from "../provider/base";
import { adoptCommand } from "./commands/adopt";
import { backupCommand } from "./commands/backup";
import { destroyCommand } from "./commands/destroy";
import { exportCommand } from "./commands/export";
import { kubeconfigCommand } from "./commands/kubeconfig";
import { localCommand } from "./commands/local";
import { permissionsCommand } from "./commands/permissions";
import { planCommand } from "./commands/plan";
import { previewCommand } from "./commands/preview";
import { repairCommand } from "./commands/repair";
import { restoreCommand } from "./commands/restore";
import { statusCommand } from "./commands/status";
import { talosconfigCommand } from "./commands/talosconfig";
import { tokenCommand } from "./commands/token";
import { topologyCommand } from "./commands/topology";
import { upCommand } from "./commands/up";

/** Ordered by the usual order of use. */
const COMMANDS = [
  planCommand,
  previewCommand,
  exportCommand,
  upCommand,
  repairCommand,
  statusCommand,
  topologyCommand,
  permissionsCommand,
  kubeconfigCommand,
  talosconfigCommand,
  tokenCommand,
  backupCommand,
  restoreCommand,
  destroyCommand,
  adoptCommand,
  localCommand,
];

/** The command line `talos-aws`. Each command sets the exit code of the process. */
export function commandLine(): Command {
  const program = new Command("talos-aws")
    .description("Kubernetes on AWS with Talos Linux: stacks of a Pulumi project, day by day.")
    .version(packageVersion(), "-V, --version")
    .helpCommand("help [command]", "shows the usage of a command")
    .showHelpAfterError('("talos-aws --help" says how it is used)')
    .addHelpText(
      "after",
      `
The engine is the command "pulumi" on your PATH, with the backend, the passphrase and the AWS
credentials of your environment. NO_COLOR, FORCE_COLOR and COLUMNS are respected.`,
    );
  program.exitOverride();
  for (const make of COMMANDS) {
    program.addCommand(make().copyInheritedSettings(program));
  }
  return program;
}
