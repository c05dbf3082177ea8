import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { talosMinor } from "../../provider/config/releases/talosMinor";
import { kubeletSchemas } from "../../provider/config/schema/kubeletSchemas";
import { talosSchemas } from "../../provider/config/schema/talosSchemas";
import { paths } from "../paths";
import type { AdoptArguments } from "./adoptArguments";
import {
  adoptedFiles,
  isNewest,
  minorOf,
  modFileOf,
  ORACLE,
  SETTINGS_ORACLE,
} from "./adoptedFiles";
import { placeFiles } from "./checkoutFiles";
import { citedSources } from "./citations";
import { configurationDecisions } from "./configurationDecisions";
import { fetchTalos } from "./fetchTalos";
import { readGoFiles } from "./goFiles";
import { goldenDecisions } from "./goldenDecisions";
import { askForGoldens } from "./goldens";
import { machineDecisions } from "./machineDecisions";
import { nextSteps } from "./nextSteps";
import { readOurSources } from "./ourSources";
import { type ReleaseFacts, readSourceFacts, type TalosModules } from "./releaseFacts";
import { ReleasePrograms } from "./releasePrograms";
import { renderReport } from "./report";
import { sourceDecisions } from "./sourceDecisions";
import { upstreamChanges } from "./upstreamChanges";

/** What `adopt` works with. */
export interface AdoptOptions extends Omit<AdoptArguments, "report"> {
  /** A folder without a go.mod. */
  readonly workspace: string;
  readonly say: (line: string) => void;
}

/**
 * Regenerates what is generated from a release of Talos, and reports what a person decides. Nothing is written
 * into the checkout before all is made.
 *
 * @returns the report as Markdown; undefined for the release that the package has its facts from
 * @throws Error for a release that can't be had
 */
export async function adopt(options: AdoptOptions): Promise<string | undefined> {
  const { release, since, reportOnly, workspace, say } = options;
  if (release === since) {
    return undefined;
  }
  say(`fetching Talos ${release} and ${since} …`);
  const modules = await fetchTalos(release, workspace);
  const former = await fetchTalos(since, workspace);
  const newestMod = await readFile(join(paths.root, ORACLE, "go.mod"), "utf8");
  const programs = new ReleasePrograms(modules, newestMod, say);
  const formerPrograms = new ReleasePrograms(former, newestMod, say);

  const before = await formerFacts(former, formerPrograms);
  const after = await factsOf(modules, programs);
  const ownMod = await readFile(join(paths.root, ORACLE, modFileOf(minorOf(release))), "utf8");
  const oracle = await programs.oracle(ORACLE, ownMod);
  const settingsMod = await readFile(join(paths.root, SETTINGS_ORACLE, "go.mod"), "utf8");
  const settingsOracle = isNewest(release)
    ? await programs.oracle(SETTINGS_ORACLE, settingsMod)
    : undefined;

  say("comparing …");
  const ours = readOurSources(paths.root);
  const [formerFiles, files] = [readGoFiles(former), readGoFiles(modules)];
  const upstream = [...new Set([...Object.keys(formerFiles), ...Object.keys(files)])];
  const { citations } = citedSources(ours, upstream);
  const kubernetes = before.machinery.imageTags.kubernetes;
  const goldens =
    oracle === undefined ? [] : askForGoldens(oracle.program, { release, since, kubernetes });
  const sections = [
    ...configurationDecisions(before, after),
    ...sourceDecisions(upstreamChanges(citations, ours, formerFiles, files)),
    ...machineDecisions(before, after, ours),
    goldenDecisions(goldens),
  ];
  const made = await adoptedFiles({ facts: after, sources: files, oracle, settingsOracle });
  const written = reportOnly ? [] : await placeFiles(paths.root, made);
  const failures = [...programs.failures, ...formerPrograms.failures];
  return renderReport({ release, since, sections, failures, written, next: nextSteps(after) });
}

async function factsOf(modules: TalosModules, programs: ReleasePrograms): Promise<ReleaseFacts> {
  const facts = readSourceFacts(modules);
  return { ...facts, ...(await programs.generated(facts.kubernetesLibraries)) };
}

/** The schemas of a release that the package knows are in it. */
async function formerFacts(
  modules: TalosModules,
  programs: ReleasePrograms,
): Promise<ReleaseFacts> {
  const minor = talosMinor(modules.release) ?? 0;
  return {
    ...readSourceFacts(modules),
    documents: talosSchemas.get(minor)?.file,
    kubelet: kubeletSchemas.get(minor)?.file,
    api: await programs.api(),
  };
}
