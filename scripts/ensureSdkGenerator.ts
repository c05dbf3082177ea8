import { existsSync } from "node:fs";
import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { folderFingerprint } from "./folderFingerprint";
import { goCommand, isPackage } from "./goCommand";
import { paths } from "./paths";
import type { StepLog } from "./runStep";

/** The languages whose SDKs the generator of this checkout makes. */
const LANGUAGES = ["go", "nodejs", "python"];

const PROGRAM = "generator";

/** A program that asks Pulumi's own code to make SDKs. */
const sources = join(paths.root, "test/languages/generator");

/**
 * The folder of the programs that `pulumi package gen-sdk` asks for SDKs, such as
 * `pulumi-language-python`: built before from the same sources, else built with Go. A Pulumi CLI has
 * its own, and an engine built from source has none.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureSdkGenerator(cacheDir: string, log: StepLog): Promise<string> {
  const folder = join(cacheDir, `sdk-generator-${folderFingerprint(sources)}`);
  if (existsSync(folder)) {
    return folder;
  }
  log.say("building Pulumi's generators of SDKs with Go (half a minute after the engine, once) …");
  const built = `${folder}.${process.pid}`;
  await mkdir(built, { recursive: true });
  let packages = 0;
  // With the flags of the engine's own build, Go has compiled most of it already.
  const flags = ["-v", "-gcflags=all=-dwarf=false", "-ldflags", "-s -w"];
  await goCommand(["build", ...flags, "-o", join(built, PROGRAM), "."], {
    cwd: sources,
    onLine: (line) => {
      packages += isPackage(line) ? 1 : 0;
      log.at(`compiling package ${packages}`);
    },
  });
  for (const language of LANGUAGES) {
    await symlink(PROGRAM, join(built, `pulumi-language-${language}`));
  }
  await rename(built, folder);
  return folder;
}
