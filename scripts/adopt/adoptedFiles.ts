import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { format, resolveConfig } from "prettier";
import { talosMinor } from "../../provider/config/releases/talosMinor";
import type { SchemaFile } from "../../provider/config/schema/configSchema";
import { talosSchemas } from "../../provider/config/schema/talosSchemas";
import { renderAcceptedTypes } from "../configTypes";
import { paths } from "../paths";
import { renderSchemaFiles } from "../schemaFiles";
import { type CheckoutFiles, replacedFolder } from "./checkoutFiles";
import type { SourceTexts } from "./citations";
import type { ReleaseFacts } from "./releaseFacts";
import type { OracleModule } from "./releasePrograms";

/** The folder of the oracle that there is of each minor. */
export const ORACLE = "test/conformance/oracle";

/** The folder of the oracle that there is of the newest minor alone. */
export const SETTINGS_ORACLE = "test/conformance/settingsOracle";

/** What is generated from a release. */
export interface Adopted {
  readonly facts: ReleaseFacts;
  /** The release's files of Go. */
  readonly sources: SourceTexts;
  readonly oracle: OracleModule | undefined;
  readonly settingsOracle: OracleModule | undefined;
}

/** The files of the checkout that follow from a release; those that can't be made are left out. */
export async function adoptedFiles(adopted: Adopted): Promise<CheckoutFiles> {
  const { facts, sources } = adopted;
  const minor = minorOf(facts.release);
  const records = "test/provider/testdata";
  const files: (readonly [string, string | Uint8Array | undefined])[] = [
    [`${records}/talosSource/${minor}.json`, json(facts.talos)],
    [`${records}/machinerySource/${minor}.json`, json(facts.machinery)],
    [`${records}/talosFiles/${minor}.txt.br`, fileList(sources)],
    ...(await oracleFiles(adopted)),
  ];
  if (facts.documents !== undefined && facts.kubelet !== undefined) {
    const folder = "provider/config";
    const schemas = schemasWith(facts.documents);
    const minors = schemas.map((schema) => minorOf(schema["x-talosVersion"]));
    files.push(
      [`${folder}/schema/${minor}.json`, await formatted(facts.documents)],
      [`${folder}/schema/kubelet/${minor}.json`, await formatted(facts.kubelet)],
      [`${folder}/gen/schemaFiles.ts`, renderSchemaFiles(minors)],
      [`${folder}/gen/machineConfigPatch.ts`, renderAcceptedTypes(schemas)],
    );
  }
  // The package has the newest API alone.
  if (facts.api !== undefined && isNewest(facts.release)) {
    files.push(...(await apiFiles(facts.api)));
  }
  return new Map(files);
}

/** `v1.15` of `v1.15.0-alpha.1`. */
export function minorOf(release: string): string {
  return release.replace(/^(v\d+\.\d+).*$/, "$1");
}

/** The file that says what the oracle of a minor is built with: Go wants a go.mod in the folder. */
export function modFileOf(minor: string): string {
  return isNewest(minor) ? "go.mod" : `${minor}.mod`;
}

/** Whether no minor that the package knows is newer: what there is of the newest alone follows from such a release. */
export function isNewest(release: string): boolean {
  return (talosMinor(release) ?? 0) >= Math.max(...talosSchemas.keys());
}

function schemasWith(schema: SchemaFile): SchemaFile[] {
  const minor = talosMinor(schema["x-talosVersion"]) ?? 0;
  const all = new Map([...talosSchemas].map(([each, { file }]) => [each, file]));
  return [...all.set(minor, schema)].sort(([a], [b]) => a - b).map(([, file]) => file);
}

async function oracleFiles({
  facts,
  oracle,
  settingsOracle,
}: Adopted): Promise<[string, string][]> {
  const files: [string, string][] = [];
  const minor = minorOf(facts.release);
  const newest = `v1.${Math.max(...talosSchemas.keys())}`;
  const own = modFileOf(minor);
  if (oracle !== undefined) {
    if (own === "go.mod" && minor !== newest) {
      for (const ending of ["mod", "sum"]) {
        const text = await readFile(join(paths.root, ORACLE, `go.${ending}`), "utf8");
        files.push([`${ORACLE}/${newest}.${ending}`, text]);
      }
    }
    files.push([`${ORACLE}/${own}`, oracle.goMod]);
    files.push([`${ORACLE}/${own.replace(/mod$/, "sum")}`, oracle.goSum]);
  }
  if (settingsOracle !== undefined) {
    files.push([`${SETTINGS_ORACLE}/go.mod`, settingsOracle.goMod]);
    files.push([`${SETTINGS_ORACLE}/go.sum`, settingsOracle.goSum]);
  }
  return files;
}

async function apiFiles(api: object): Promise<CheckoutFiles> {
  const workspace = await mkdtemp(join(tmpdir(), "adopt-"));
  try {
    const description = join(workspace, "api.json");
    await writeFile(description, JSON.stringify(api));
    const script = join(paths.root, "scripts/generateProto.mjs");
    await promisify(execFile)(process.execPath, [script, description, workspace]);
    return new Map(await replacedFolder(workspace, "provider/api/proto", paths.root));
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** The paths of the release's files of Go, for the test of what our comments name. */
function fileList(sources: SourceTexts): Uint8Array {
  return brotliCompressSync(`${Object.keys(sources).sort().join("\n")}\n`);
}

async function formatted(schema: SchemaFile): Promise<string> {
  const place = join(paths.root, "provider/config/schema/schema.json");
  const options = await resolveConfig(place);
  return format(JSON.stringify(schema), { ...options, filepath: place });
}

function json(record: unknown): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
