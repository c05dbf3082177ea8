import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adopt } from "./adopt/adopt";
import { readAdoptArguments } from "./adopt/adoptArguments";
import { newestTalos } from "./adopt/fetchTalos";
import { paths } from "./paths";
import { runMain } from "./runMain";

/** Progress is beside the report, which may go to a file. */
const say = (line: string) => {
  process.stderr.write(`${line}\n`);
};

/**
 * `npm run adopt -- v1.15.0-alpha.1`: regenerates what is generated from a release of Talos, and prints what a
 * person decides. It needs Go, and fetches modules.
 */
runMain(async () => {
  const choice = readAdoptArguments(process.argv.slice(2));
  const workspace = await mkdtemp(join(tmpdir(), "adopt-"));
  try {
    const release = choice.release === "newest" ? await newestTalos(workspace) : choice.release;
    const report = await adopt({ ...choice, release, workspace, say });
    if (report === undefined) {
      say(`Talos ${release} is the release that the package has its facts from: nothing to adopt`);
    } else if (choice.report === undefined) {
      process.stdout.write(report);
    } else {
      await writeFile(join(paths.root, choice.report), report);
      say(`the report is in ${choice.report}`);
    }
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
});
