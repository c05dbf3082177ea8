import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goCommand } from "./goCommand";
import { paths } from "./paths";
import { familyLines, readListedPrices } from "./prices/priceTable";
import { runMain } from "./runMain";

const TABLE = join(paths.root, "preview/gen/instancePrices.json");
const MODULE = "github.com/aws/karpenter-provider-aws";
const FILE = "pkg/providers/pricing/zz_generated.pricing_aws.go";

/**
 * `node scripts/run.mjs recordPrices` writes the table of instance prices anew, from the newest release of Karpenter's AWS
 * provider, which generates its own from AWS' price list (Apache-2.0). It needs Go. `recordPrices FOLDER` reads the module in a folder.
 */
runMain(async () => {
  const [folder = await newestModule()] = process.argv.slice(2);
  const listed = readListedPrices(await readFile(join(folder, FILE), "utf8"));
  const table = { region: "us-east-1", date: listed.date, families: familyLines(listed) };
  await writeFile(TABLE, `${JSON.stringify(table, undefined, 2)}\n`);
  console.log(`${listed.usdPerHour.size} instance types of ${listed.date}`);
});

/** The folder of the module, which Go fetches. */
async function newestModule(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "talos-aws-prices-"));
  try {
    await writeFile(join(cwd, "go.mod"), "module download\n");
    const told = await goCommand(["mod", "download", "-json", `${MODULE}@latest`], { cwd });
    return (JSON.parse(told) as { readonly Dir: string }).Dir;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
