import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { goBuild } from "./goBuild";
import { goSums } from "./goSums";
import type { StepLog } from "./runStep";

/**
 * A release that runs programs for the newest engine and for the oldest. It is made of the code of the latter.
 * Source: its go.mod.
 */
const YAML_VERSION = "v1.32.0";

const PROGRAM = "pulumi-language-yaml";

/**
 * The folder of the part of Pulumi that runs programs in YAML: the engine's own, as in a Pulumi CLI,
 * else one built before, else one built from source with Go.
 *
 * @param engine path of the engine's program
 * @throws Error that names what to install when there is no Go
 */
export async function ensureYamlHost(
  cacheDir: string,
  engine: string,
  log: StepLog,
): Promise<string> {
  if (existsSync(join(dirname(engine), PROGRAM))) {
    return dirname(engine);
  }
  const folder = join(cacheDir, `pulumi-yaml-${YAML_VERSION}`);
  if (existsSync(join(folder, PROGRAM))) {
    return folder;
  }
  log.say(`building ${YAML_VERSION} with Go (half a minute beside the engine's own build, once) …`);
  const module = "github.com/pulumi/pulumi-yaml";
  const program = {
    target: join(folder, PROGRAM),
    package: `${module}/cmd/${PROGRAM}`,
    requires: { [module]: YAML_VERSION },
    sums: goSums(module, YAML_VERSION),
    flags: `-X ${module}/pkg/version.Version=${YAML_VERSION}`,
  };
  await goBuild(program, log);
  return folder;
}
