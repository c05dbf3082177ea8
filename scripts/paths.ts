import { join } from "node:path";
import { packageRoot } from "../emulator/packageRoot";

const root = packageRoot();

/** Where things are in a checkout. */
export const paths = {
  root,
  /** Tools that are installed or built once; survives everything, may be deleted at any time. */
  cache: join(root, ".cache"),
  /**
   * The local environment: its state, its secrets' passphrase, its running cloud. Another folder
   * of the checkout in TALOS_AWS_LOCAL_DIR makes another environment, beside the usual one.
   */
  local: process.env.TALOS_AWS_LOCAL_DIR ?? join(root, ".local"),
  environments: join(root, "environments"),
  /** Holds `pulumi-resource-pulumi-nodejs`, the engine's plugin for dynamic resources. */
  pulumiSdk: join(root, "node_modules/@pulumi/pulumi"),
  /** Holds `pulumi-resource-talos-aws`, this package's own plugin. */
  plugin: join(root, "plugin"),
};
