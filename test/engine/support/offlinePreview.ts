import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { stringify } from "yaml";
import { previewStack } from "../../../cli/engine/previewStack";
import { withOfflineStack } from "../../../cli/offline/withOfflineStack";
import { renderText } from "../../../preview";
import { paths } from "../../../scripts/paths";
import { engineFromEnvironment } from "./engineFromEnvironment";

/** What a preview of a stack says, as `talos-aws preview` shows it. */
export async function previewText(stack: Stack): Promise<string> {
  return renderText((await previewStack(stack, {})).summary);
}

/** What a preview without an account is made from. */
export interface OfflineSource {
  readonly state: Deployment;
  /** Where it keeps its files. */
  readonly folder: string;
  /** That of the state's secrets. Empty: the state has none that are encrypted. */
  readonly passphrase: string;
}

/** What a preview of the stack `local` without an account says, with these settings. */
export async function offlinePreview(
  settings: Record<string, unknown>,
  { state, folder, passphrase }: OfflineSource,
): Promise<string> {
  return withOfflineStack(
    {
      stack: "local",
      settings: stringify({ config: settings }),
      state,
      ...(passphrase !== "" && { passphrase }),
      engine: await engineFromEnvironment(),
      folder,
      pluginDirs: [paths.pulumiSdk],
    },
    previewText,
  );
}
