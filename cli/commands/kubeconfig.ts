import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { type Command, Option } from "commander";
import { mergeKubeconfig } from "../configFiles/mergeKubeconfig";
import { removeKubeconfig } from "../configFiles/removeKubeconfig";
import { withServerAddress } from "../configFiles/withServerAddress";
import { textOutput, userKubeconfig } from "../engine/clusterOutputs";
import { stackCommand } from "../stackCommand";
import { addConfigOptions, type ConfigKind, type ConfigOptions, writeConfig } from "./writeConfig";

const kubeconfigKind: ConfigKind = {
  name: "kubeconfig",
  program: "kubectl",
  defaultFile: () => {
    const [first] = (process.env.KUBECONFIG ?? "").split(delimiter).filter((each) => each !== "");
    return first ?? join(homedir(), ".kube/config");
  },
  merge: mergeKubeconfig,
  remove: (before, own) => removeKubeconfig(before, own),
};

interface KubeconfigOptions extends ConfigOptions {
  readonly serverAddress?: string;
  readonly user?: string;
  readonly login?: boolean;
}

export function kubeconfigCommand(): Command {
  const command = stackCommand("kubeconfig", "adds a cluster to kubectl's file");
  addConfigOptions(command, kubeconfigKind, "the first of $KUBECONFIG, else ~/.kube/config");
  return command
    .option(
      "--user <name>",
      "the kubeconfig of a user of the output kubeconfigs, not the administrator's",
    )
    .addOption(
      new Option(
        "--login",
        "the kubeconfig of people who log in by the argument access, without any key",
      ).conflicts("user"),
    )
    .option("--server-address <address>", "the address of the API server, instead of its name")
    .action(async (stack: string, options: KubeconfigOptions) => {
      const { serverAddress, user, login = false } = options;
      await writeConfig(kubeconfigKind, stack, options, {
        prepare: (own) =>
          serverAddress === undefined ? own : withServerAddress(own, serverAddress),
        ...(user !== undefined && { read: (outputs) => userKubeconfig(stack, outputs, user) }),
        ...(login && { read: (outputs) => textOutput(stack, outputs, "accessKubeconfig") }),
      });
    });
}
