import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { goCommand } from "./goCommand";
import { paths } from "./paths";
import { estimatePrices, readOfferedTypes } from "./prices/estimatedPrices";
import { mergePrices, readInstancesInfo, readKarpenterPrices } from "./prices/listedPrices";
import { priceTable } from "./prices/priceTable";
import { runMain } from "./runMain";

const TABLE = join(paths.root, "preview/gen/instancePrices.json");

/** Karpenter's AWS provider: us-east-1 and GovCloud. China's prices, which it has in yuan, are left out. */
const KARPENTER = {
  module: "github.com/aws/karpenter-provider-aws@latest",
  files: ["zz_generated.pricing_aws.go", "zz_generated.pricing_aws_us_gov.go"],
  folder: "pkg/providers/pricing",
};

/** All regions, from ec2instances.info. No newer version of the module has data. */
const INSTANCES_INFO = {
  module: "github.com/cristim/ec2-instances-info@v0.0.0-20250528091325-32acf84f42eb",
  /** The hash of its files, as Go's public checksum database (sum.golang.org) says it. */
  sum: "h1:exJ9FsMTbotSG5xgDHmFJE84gV3MZ4JRpR8nhbgJz/k=",
  file: "data/instances.json",
  date: "2025-05-28",
};

/** Which types each region has, without prices. Its licence, MIT-0, asks for no notice. */
const CFN_LINT = {
  requirement:
    "cfn-lint==1.58.0 --hash=sha256:9d9f06043160756a6158f5c3f92a44ce38254b1c578127461608305bc8262987",
  file: "cfnlint/data/schemas/extensions/aws_ec2_instance/instancetype_enum.json",
};

/** The region whose prices Karpenter's table has for all families. */
const HOME = "us-east-1";

/** What the licence of ec2instances.info asks of each copy of its data. */
const LICENCE_BEGINS = "Copyright (c) 2013 Garret Heaton (powdahound.com)";

/**
 * `node scripts/run.mjs recordPrices` writes the table of instance prices anew. us-east-1 and GovCloud are from the newest
 * release of Karpenter's AWS provider (Apache-2.0), the other regions from a pinned list of ec2instances.info (MIT). Both come
 * from AWS' price list. cfn-lint (MIT-0) says which newer families the other regions have: their prices are estimated. It needs
 * Go and Python with pip, and downloads 26 MB. `recordPrices FOLDER` reads Karpenter's module in a folder.
 */
runMain(async () => {
  const [karpenter = await moduleFolder(KARPENTER.module)] = process.argv.slice(2);
  const info = await moduleFolder(INSTANCES_INFO.module, INSTANCES_INFO.sum);
  const newer = await Promise.all(
    KARPENTER.files.map(async (file) =>
      readKarpenterPrices(await readFile(join(karpenter, KARPENTER.folder, file), "utf8")),
    ),
  );
  const older = readInstancesInfo(
    await readFile(join(info, INSTANCES_INFO.file), "utf8"),
    INSTANCES_INFO.date,
  );
  const regions = mergePrices(new Map(newer.flatMap((each) => [...each])), older);
  const estimates = estimatePrices(regions, readOfferedTypes(await offeredTypes()), HOME);
  const table = { notice: await noticeOf(info), ...priceTable(regions, estimates) };
  await writeFile(TABLE, `${JSON.stringify(table, undefined, 1)}\n`);
  for (const [region, { date, usdPerHour }] of regions) {
    const estimated = estimates.get(region)?.usdPerHour.size ?? 0;
    console.log(`${region}: ${usdPerHour.size} types of ${date}, and ${estimated} estimated`);
  }
});

/** The copyright and permission notice of the data of ec2instances.info, line by line. */
async function noticeOf(folder: string): Promise<readonly string[]> {
  const licence = await readFile(join(folder, "LICENSE"), "utf8");
  const at = licence.indexOf(LICENCE_BEGINS);
  if (at < 0) {
    throw new Error(`the licence of ${INSTANCES_INFO.module} has no "${LICENCE_BEGINS}"`);
  }
  const lines = licence.slice(at).trim().split(/\r?\n/);
  return ["Prices outside us-east-1 and GovCloud: data of ec2instances.info.", "", ...lines];
}

/** cfn-lint's list of the types in each region, which pip fetches. */
async function offeredTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "talos-aws-prices-"));
  try {
    const requirements = join(folder, "requirements.txt");
    await writeFile(requirements, `${CFN_LINT.requirement}\n`);
    const target = join(folder, "packages");
    const install = ["install", "--quiet", "--no-deps", "--target", target];
    await promisify(execFile)("python3", ["-m", "pip", ...install, "-r", requirements]);
    return await readFile(join(target, CFN_LINT.file), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The folder of a module, which Go fetches.
 *
 * @param sum the hash that it must have. Default: any, which Go compares with its checksum database
 */
async function moduleFolder(module: string, sum?: string): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "talos-aws-prices-"));
  try {
    await writeFile(join(cwd, "go.mod"), "module download\n");
    const told = await goCommand(["mod", "download", "-json", module], { cwd });
    const { Dir: folder = "", Sum: found } = JSON.parse(told) as Readonly<Record<string, string>>;
    if (sum !== undefined && found !== sum) {
      throw new Error(`${module} has the hash "${found ?? ""}", not "${sum}": do not use it`);
    }
    return folder;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
