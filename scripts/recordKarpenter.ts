import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { goCommand } from "./goCommand";
import { paths } from "./paths";
import { runMain } from "./runMain";

const FILE = join(paths.root, "components/addOns/karpenter/gen/karpenterDefinitions.json");
const MODULE = "github.com/aws/karpenter-provider-aws";
const FOLDER = "pkg/apis/crds";

/** Definitions of another project, which Karpenter reads only with a feature that is off by default. */
const FOREIGN = "autoscaling.x-k8s.io";

/**
 * `node scripts/run.mjs recordKarpenter` writes the definitions of Karpenter's kinds anew, from the newest release of its AWS
 * provider (Apache-2.0), without their descriptions. `recordKarpenter v1.15.2` takes that release. It needs Go.
 */
runMain(async () => {
  const [wanted = "latest"] = process.argv.slice(2);
  const { version, folder } = await moduleOf(wanted);
  const names = (await readdir(join(folder, FOLDER))).filter((name) => !name.startsWith(FOREIGN));
  const texts = await Promise.all(
    names.sort().map((name) => readFile(join(folder, FOLDER, name), "utf8")),
  );
  const definitions = texts.map((text) => withoutDescriptions(parse(text)));
  await writeFile(FILE, `${JSON.stringify({ version, definitions })}\n`);
  console.log(`${definitions.length} definitions of Karpenter ${version}`);
});

/** A release of the module, which Go fetches. */
async function moduleOf(wanted: string): Promise<{ version: string; folder: string }> {
  const cwd = await mkdtemp(join(tmpdir(), "talos-aws-karpenter-"));
  try {
    await writeFile(join(cwd, "go.mod"), "module download\n");
    const told = await goCommand(["mod", "download", "-json", `${MODULE}@${wanted}`], { cwd });
    const { Version: version, Dir: folder } = JSON.parse(told) as Readonly<Record<string, string>>;
    if (version === undefined || folder === undefined) {
      throw new Error(`Go has no release "${wanted}" of ${MODULE}`);
    }
    return { version, folder };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** A schema without what only people read. A property may be called so, too. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDescriptions);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => key !== "description" || typeof each !== "string")
      .map(([key, each]) => [key, withoutDescriptions(each)]),
  );
}
